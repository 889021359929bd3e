// heddle COMMAND ...: finds the command and gets out of the way.
#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "host/text.h"

namespace heddle {
namespace {

void print_help() {
  fmt::print(
      "heddle finds, reproduces, shrinks and explains concurrency bugs in native programs.\n\n"
      "usage: heddle COMMAND ...\n\n");
  for (const CommandRow& row : command_table()) {
    fmt::print("  {:<10}{}{}\n", row.name, row.summary, row.run == nullptr ? " (not yet)" : "");
  }
  fmt::print(
      "\n"
      "Examples:\n"
      "  CXX=\"heddle c++\" CC=\"heddle cc\" ./configure && make\n"
      "  heddle run -- ./prog\n"
      "  heddle run --for 5m --keep-going -- ./prog --its-own-option\n"
      "  heddle replay heddle-out/failures/<id>\n\n"
      "'heddle COMMAND --help' says more about each. 'heddle doctor -- ./prog' says what heddle "
      "can "
      "do with a program.\n");
}

// `heddle cc --help` is the compiler's; ours is `heddle help cc`.
void print_wrapper_help(std::string_view name) {
  fmt::print(
      "heddle {0}: calls {1} (or what {2} names) with instrumentation, for programs and libraries\n"
      "usage: heddle {0} ARGS...   the compiler's own arguments\n\n"
      "Examples:\n"
      "  heddle {0} -O1 -g prog.{3} -o prog -pthread\n"
      "  CC=\"heddle cc\" CXX=\"heddle c++\" cmake -B build\n"
      "  make CC=\"heddle cc\"\n"
      "  {2}=clang-19 heddle {0} -c part.{3}\n",
      name, name == "cc" ? "gcc" : "g++", name == "cc" ? "HEDDLE_CC" : "HEDDLE_CXX",
      name == "cc" ? "c" : "cpp");
}

int run_named(std::string_view name, Arguments arguments) {
  const CommandRow* row = find_command(name);
  if (row == nullptr) {
    std::vector<std::string_view> names;
    for (const CommandRow& known : command_table()) {
      names.push_back(known.name);
    }
    const std::string_view near = nearest_name(name, names);
    if (near.empty()) {
      return report(Error{fmt::format("There is no command '{}'; see 'heddle --help'.", name)});
    }
    return report(
        Error{fmt::format("There is no command '{}'; did you mean 'heddle {}'?", name, near)});
  }
  if (row->run != nullptr) {
    return row->run(arguments);
  }
  if (!arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h")) {
    fmt::print("heddle {0}: {1}\nusage: heddle {0} {2}\n\nNot built yet in this version.\n",
               row->name, row->summary, row->usage);
    return kExitNothingFound;
  }
  return report(Error{
      fmt::format("'heddle {}' is not built yet in version {}; see 'heddle --help' for what is.",
                  name, HEDDLE_VERSION),
      kExitUnsupported});
}

int main_with(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    return report(
        Error{"Name a command, for example 'heddle run -- ./prog'; see 'heddle --help'."});
  }
  const std::string& first = arguments[0];
  if (first == "--help" || first == "-h" || first == "help") {
    if (arguments.size() > 1 && (arguments[1] == "cc" || arguments[1] == "c++")) {
      print_wrapper_help(arguments[1]);
      return kExitNothingFound;
    }
    if (arguments.size() > 1 && first == "help") {
      const std::vector<std::string> help{"--help"};
      return run_named(arguments[1], help);
    }
    print_help();
    return kExitNothingFound;
  }
  if (first == "--version" || first == "-V") {
    fmt::print("heddle {}\n", HEDDLE_VERSION);
    return kExitNothingFound;
  }
  return run_named(first, Arguments(arguments).subspan(1));
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  try {
    std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    // Installed under two more names, for build systems that take one word as a compiler.
    const std::string self = argc > 0 ? argv[0] : "";
    for (const char* command : {"c++", "cc"}) {
      if (self.ends_with(std::string("heddle-") + command)) {
        arguments.insert(arguments.begin(), command);
        break;
      }
    }
    return heddle::main_with(arguments);
  } catch (const std::exception& error) {
    // Libraries throw where the machine gives out (no memory, a broken locale); ours do not.
    return heddle::report(heddle::Error{
        fmt::format("Something heddle did not expect went wrong: {}.", error.what())});
  }
}
