// `heddle cc|c++`: what the user asked the compiler for, and the same with instrumentation. Pure: no process is
// started here, so every rule is tested by comparing words.
//
//  compile   -fsanitize=thread, and what keeps the optimiser from folding accesses away (docs: the wrapper); -g, and
//            -O1 unless the user chose; a directory of headers that makes std::string's code part of the program.
//            Ours come first, so that the user's own flags win.
//  link      never -fsanitize=thread, which would bring the real runtime in; instead libheddle_rt.so before everything
//            else (its symbols must come before libc's) and the access stubs, whole, since the shared library
//            defines the same names and the linker would otherwise not look into the archive.
//  both      in one call the driver must not see the flag, or it would link libtsan: it goes to the compiler proper
//            only (gcc -Xpreprocessor, clang -Xclang).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/result.h"

namespace heddle {

enum class CompilerFamily { gcc, clang };

// What a command line asks for. Filled by read_compiler_call.
struct CompilerCall {
  std::vector<std::string>
      words;               // response files expanded where they hold something we must change
  bool only_asks = false;  // --version, -print-…, -dumpmachine, no inputs at all
  bool compiles = false;   // has a source that is instrumented
  bool links = false;
  bool relocatable = false;   // -r
  bool wants_static = false;  // -static, -static-pie
  bool without_libc = false;  // -nostdlib or -nodefaultlibs, and no -lc
  bool freestanding = false;
  bool optimisation_chosen = false;
  bool thread_sanitizer_refused = false;  // -fno-sanitize=thread or =all
  std::vector<std::string> sanitizers;    // other than thread, still on at the end
};

Result<CompilerCall> read_compiler_call(const std::vector<std::string>& arguments);

struct InstrumentedCall {
  std::vector<std::string> arguments;
  std::vector<std::string> notes;  // for standard error, a sentence each
};

// `library_directory` holds libheddle_rt.so, libheddle_fast.a and include/.
Result<InstrumentedCall> instrument(const CompilerCall& call, CompilerFamily family,
                                    const std::filesystem::path& library_directory);

// By the command's name alone: "clang++-19" or "x86_64-linux-gnu-gcc-12"; false if it does not tell.
bool family_from_name(std::string_view command, CompilerFamily& family);
// From what `COMPILER --version` prints.
CompilerFamily family_from_version(std::string_view text);

}  // namespace heddle
