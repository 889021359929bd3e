// `heddle doctor`: what heddle can do on this machine, and what it sees of a program.
#include <fmt/core.h>
#include <unistd.h>

#include "driver/command_line.h"
#include "driver/commands.h"
#include "host/elf.h"
#include "host/machine.h"
#include "host/paths.h"
#include "host/terminal.h"
#include "host/text.h"

namespace heddle {
namespace {

struct Sight {
  std::string_view seen;
  std::string_view unseen;
  std::string_view advice;
};

Sight sight(ProgramKind kind) {
  static constexpr std::string_view kAll =
      "synchronisation, atomics and memory accesses of all code compiled so";
  static constexpr std::string_view kRest =
      "accesses inside libraries that were not compiled so, inline assembler";
  switch (kind) {
    case ProgramKind::instrumented:
      return {kAll, kRest, ""};
    case ProgramKind::gcc_tsan:
      return {
          kAll, kRest,
          "nothing needs rebuilding; 'heddle c++' would also keep loops from being folded into one "
          "access"};
    case ProgramKind::clang_tsan:
      return {kAll, kRest, "nothing needs rebuilding"};
    case ProgramKind::plain:
      return {
          "synchronisation: pthread and C11 calls, futexes through libc, sleeps, clocks",
          "atomics and memory accesses: a bug that needs a switch between two of them stays hidden",
          "to see them rebuild with CC=\"heddle cc\" CXX=\"heddle c++\", or with gcc "
          "-fsanitize=thread"};
  }
  return {};
}

void print_line(std::string_view name, std::string_view text) {
  if (!text.empty()) {
    fmt::print("  {:<23} {}\n", name, text);
  }
}

void print_machine(const Terminal& terminal) {
  fmt::print("This machine\n");
  for (const MachineCheck& check : check_machine()) {
    const std::string mark =
        check.good ? terminal.paint(Paint::green, "ok") : terminal.paint(Paint::yellow, "!!");
    fmt::print("  {} {:<20} {}\n", mark, check.name, check.finding);
  }
}

void print_ways_in() {
  fmt::print(
      "\nHow a program gets in\n"
      "  sources, any build      CXX=\"heddle c++\" CC=\"heddle cc\", or find_package(heddle) and "
      "heddle_instrument(target)\n"
      "                          sees synchronisation, atomics, memory\n"
      "  gcc -fsanitize=thread   nothing to do: sees synchronisation, atomics, memory\n"
      "  plain dynamic binary    nothing to do: sees synchronisation\n"
      "  static, 32-bit, script  not possible\n"
      "\n'heddle doctor -- ./prog' says which of these a program is.\n");
}

int print_program(const std::vector<std::string>& words) {
  Result<ProgramFile> program = inspect_program(words[0]);
  if (!program) {
    return report(program.error());
  }
  const Sight what = sight(program->kind);
  fmt::print("\n{}\n", program->path.string());
  print_line("is", describe(program->kind));
  print_line("heddle sees", what.seen);
  print_line("heddle does not see", what.unseen);
  print_line("controlled",
             "threads, locks, condition variables, semaphores, barriers, futexes, sleeps, time, "
             "randomness");
  print_line("not controlled",
             program->uses_openmp
                 ? "other processes, the network, system calls made without libc (OpenMP's waits)"
                 : "other processes, the network, system calls made without libc");
  if (!program->uses_threads) {
    print_line("note",
               "it does not name pthread_create; unless a library starts threads, there is "
               "nothing to find");
  }
  if (!program->debug_information) {
    print_line("note",
               "it has no debug information, so reports name functions but no lines; build "
               "with -g");
  }
  print_line("what to do", what.advice);
  print_line("next", fmt::format("heddle run -- {}", shell_command(words)));
  return kExitNothingFound;
}

}  // namespace

int doctor_command(Arguments arguments) {
  CommandApp command("doctor",
                     "  heddle doctor              what this machine allows\n"
                     "  heddle doctor -- ./prog    and what heddle sees of a program");
  if (const std::optional<int> end = parse(command, arguments)) {
    return *end;
  }
  const Terminal terminal(STDOUT_FILENO);
  print_machine(terminal);
  Result<RuntimeFiles> runtime = find_runtime_files();
  if (!runtime) {
    return report(runtime.error());
  }
  fmt::print("  {} {:<20} {}\n", terminal.paint(Paint::green, "ok"), "runtime",
             runtime->directory.string());
  if (command.program_given && command.program.empty()) {
    return report(Error{"Name a program after '--', for example 'heddle doctor -- ./prog'."});
  }
  if (command.program.empty()) {
    print_ways_in();
    return kExitNothingFound;
  }
  return print_program(command.program);
}

}  // namespace heddle
