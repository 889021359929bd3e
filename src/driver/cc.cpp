// `heddle cc` and `heddle c++`: become the compiler, with instrumentation. Says nothing of its own in normal use.
#include <fmt/core.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/compiler_call.h"
#include "host/paths.h"
#include "host/text.h"

namespace heddle {
namespace {

struct Compiler {
  std::vector<std::string> command;  // "ccache gcc" is two words
  CompilerFamily family;
};

Result<Compiler> find_compiler(const char* variable, const char* usual) {
  const char* chosen = std::getenv(variable);
  Compiler compiler{{}, CompilerFamily::gcc};
  for (const std::string_view word : split(chosen != nullptr ? chosen : "", ' ')) {
    if (!word.empty()) {
      compiler.command.emplace_back(word);
    }
  }
  if (compiler.command.empty()) {
    compiler.command.emplace_back(usual);
  }
  for (const std::string& word : compiler.command) {
    const std::string_view name = std::string_view(word).substr(word.rfind('/') + 1);
    if (name == "heddle" || name == "heddle-cc" || name == "heddle-c++") {
      return Error{
          fmt::format("{} names heddle itself; it should name the compiler that heddle "
                      "calls, such as gcc or clang-19.",
                      variable)};
    }
  }
  if (family_from_name(compiler.command.back(), compiler.family)) {
    return compiler;
  }
  // A name like "cc" does not tell; ask once.
  const std::string question = shell_command(compiler.command) + " --version 2>/dev/null";
  if (FILE* answer = popen(question.c_str(), "re"); answer != nullptr) {
    char text[4096];
    const std::size_t length = fread(text, 1, sizeof text, answer);
    pclose(answer);
    compiler.family = family_from_version({text, length});
  }
  return compiler;
}

int become(const Compiler& compiler, const std::vector<std::string>& arguments,
           const char* variable) {
  std::vector<char*> words;
  for (const std::string& word : compiler.command) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  for (const std::string& word : arguments) {
    words.push_back(const_cast<char*>(word.c_str()));
  }
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  const int error = errno;
  return report(Error{fmt::format(
      "Cannot start the compiler '{}': {}; install it, or name another with {}.", words[0],
      error == ENOENT ? "there is no such command" : strerror(error), variable)});
}

int wrap(Arguments arguments, const char* variable, const char* usual) {
  const std::vector<std::string> given(arguments.begin(), arguments.end());
  Result<Compiler> compiler = find_compiler(variable, usual);
  if (!compiler) {
    return report(compiler.error());
  }
  Result<CompilerCall> call = read_compiler_call(given);
  if (!call) {
    return report(call.error());
  }
  Result<RuntimeFiles> runtime = find_runtime_files();
  if (!runtime) {
    return report(runtime.error());
  }
  Result<InstrumentedCall> instrumented = instrument(*call, compiler->family, runtime->directory);
  if (!instrumented) {
    return report(instrumented.error());
  }
  for (const std::string& note : instrumented->notes) {
    fmt::print(stderr, "heddle: note: {}\n", note);
  }
  return become(*compiler, instrumented->arguments, variable);
}

}  // namespace

int cc_command(Arguments arguments) { return wrap(arguments, "HEDDLE_CC", "gcc"); }
int cxx_command(Arguments arguments) { return wrap(arguments, "HEDDLE_CXX", "g++"); }

}  // namespace heddle
