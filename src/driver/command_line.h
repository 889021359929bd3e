// How every command reads its arguments and reports what is wrong with them.
#pragma once

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/commands.h"
#include "host/result.h"

namespace heddle {

// Prints "heddle: SENTENCE" on standard error and returns the exit status.
int report(const Error& error);

// What is wrong with an option's value, with the option's name before it.
Error wrong_option(std::string_view option, const Error& why);

// Columns of a terminal's output: as --width says, where it was given.
Result<std::size_t> width_of_output(const std::string& width_text);

// An app for one command: its summary, usage line and examples for --help. Options take the last value given.
struct CommandApp {
  CommandApp(std::string_view command, std::string_view examples);

  CLI::App app;
  std::string command;
  std::string group = "Options";  // heading in --help for the options added next
  // What follows "--"; taken away before options are parsed, so that the program's own options are never ours.
  std::vector<std::string> program;
  bool program_given = false;
};

// An exit status if the command ends here: help was shown, or something was wrong and has been reported.
std::optional<int> parse(CommandApp& command, Arguments arguments);

}  // namespace heddle
