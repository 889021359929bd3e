// What kind of program is this, and can heddle's runtime get into it? Reads the file; starts nothing but the dynamic
// loader's own listing of libraries.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "host/paths.h"
#include "host/result.h"

namespace heddle {

// The ways in (DESIGN A1). Everything else is an Error from inspect_program.
enum class ProgramKind : std::uint8_t {
  instrumented,  // built by `heddle cc|c++` or heddle_instrument(): needs libheddle_rt.so
  gcc_tsan,      // -fsanitize=thread with a shared libtsan.so.2: we take its place
  clang_tsan,    // the same with clang's -shared-libsan
  plain,         // any other dynamic program: synchronisation only
};

struct ProgramFile {
  std::filesystem::path path;  // absolute, symbolic links kept (some programs look at their name)
  ProgramKind kind = ProgramKind::plain;
  std::string build_id;            // hexadecimal; empty if the linker wrote none
  bool debug_information = false;  // has .debug_info of its own
  bool uses_threads =
      false;  // names pthread_create or thrd_create, itself or in a library of its own
  bool uses_openmp = false;         // libgomp waits with raw system calls
  std::vector<std::string> needed;  // direct dependencies, as written
};

// The file a shell would start: searched in PATH if there is no slash in the name.
Result<std::filesystem::path> find_program(std::string_view name);

// Finds and reads it. Errors, all with kExitBadUsage: not found, a directory, not executable, a script, not ELF, 32-bit,
// another machine, an object file or library, static, statically linked sanitizers, setuid, missing loader or libraries.
Result<ProgramFile> inspect_program(std::string_view name);

// What to preload so that the runtime is in place.
const std::filesystem::path& preload_for(ProgramKind kind, const RuntimeFiles& files);

// "built with heddle's instrumentation": for doctor and reports.
std::string_view describe(ProgramKind kind);

}  // namespace heddle
