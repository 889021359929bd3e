// Every command, a row each. To add one: a file driver/<name>.cpp with a function of this shape, its declaration here
// and its row in commands.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace heddle {

using Arguments = std::span<const std::string>;

struct CommandRow {
  std::string_view name;
  std::string_view usage;    // what follows the name
  std::string_view summary;  // one line
  // What comes after the command's name; returns the exit status. Null: not built yet.
  int (*run)(Arguments arguments);
};

std::span<const CommandRow> command_table();

// Null if there is no such name.
const CommandRow* find_command(std::string_view name);

int cc_command(Arguments arguments);
int cxx_command(Arguments arguments);
int list_command(Arguments arguments);
int doctor_command(Arguments arguments);
int run_command(Arguments arguments);
int replay_command(Arguments arguments);
int minimize_command(Arguments arguments);
int show_command(Arguments arguments);
int explain_command(Arguments arguments);
int verify_command(Arguments arguments);
int save_command(Arguments arguments);
int compare_command(Arguments arguments);
int coverage_command(Arguments arguments);

}  // namespace heddle
