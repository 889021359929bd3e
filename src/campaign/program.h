// The program under test as the user named it, resolved once so that every run, and every replay, starts the same thing.
#pragma once

#include <string>
#include <vector>

namespace heddle::campaign {

struct Program {
  std::string executable;  // absolute path of what is started
  std::vector<std::string>
      arguments;          // argv as typed, argv[0] included; "{run}" is the run's number
  std::string directory;  // working directory
  std::vector<std::string> environment;  // NAME=value, as the user's shell had it
  std::string stdin_path = "/dev/null";  // reopened for every run
  std::string preload;                   // the runtime's file for this kind of binary
  std::string build_id;                  // hex; empty if it has none
  bool shows_memory = false;             // built so that we see its accesses, atomics at least
};

// argv with "{run}" replaced, for a program started directly. (A forked run is given its number by the runtime.)
std::vector<std::string> arguments_of_run(const Program& program, unsigned long long run);

}  // namespace heddle::campaign
