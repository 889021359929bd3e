#include "driver/command_line.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "host/terminal.h"
#include "host/text.h"

namespace heddle {
namespace {

// What other tools call our options.
struct OtherName {
  std::string_view other;
  std::string_view ours;
};
constexpr OtherName kOtherNames[] = {
    {"--time", "--for"},        {"--duration", "--for"},  {"--budget", "--for"},
    {"--iterations", "--runs"}, {"--repeat", "--runs"},   {"--count", "--runs"},
    {"--output", "--out"},      {"--parallel", "--jobs"}, {"--workers", "--jobs"},
};
std::string_view other_name(std::string_view wanted) {
  const auto* const found = std::ranges::find(kOtherNames, wanted, &OtherName::other);
  return found == std::end(kOtherNames) ? std::string_view() : found->ours;
}

// "--runs" for "--runs=5".
std::string option_name(const std::string& argument) {
  return argument.substr(0, argument.find('='));
}

Error unexpected_argument(const CommandApp& command, const std::string& argument) {
  if (argument.size() < 2 || argument[0] != '-') {
    const bool takes_program =
        find_command(command.command)->usage.find("-- PROG") != std::string_view::npos;
    if (takes_program) {
      return Error{fmt::format("Put '--' before the program: heddle {} -- {}.", command.command,
                               shell_word(argument))};
    }
    return Error{fmt::format("'{}' is one argument too many; see 'heddle {} --help'.", argument,
                             command.command)};
  }
  std::vector<std::string> owned;
  for (const CLI::Option* option : command.app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      owned.push_back("--" + name);
    }
    for (const std::string& name : option->get_snames()) {
      owned.push_back("-" + name);
    }
  }
  const std::vector<std::string_view> names(owned.begin(), owned.end());
  const std::string wanted = option_name(argument);
  const std::string_view meant = other_name(wanted);
  const bool is_here = std::ranges::find(names, meant) != names.end();
  const std::string_view near = is_here ? meant : nearest_name(wanted, names);
  if (near.empty()) {
    return Error{fmt::format("'heddle {}' has no option '{}'; see 'heddle {} --help'.",
                             command.command, wanted, command.command)};
  }
  return Error{fmt::format("'heddle {}' has no option '{}'; did you mean '{}'?", command.command,
                           wanted, near)};
}

}  // namespace

int report(const Error& error) {
  std::fflush(stdout);
  fmt::print(stderr, "heddle: {}\n", error.sentence);
  return error.exit_status;
}

Error wrong_option(std::string_view option, const Error& why) {
  return Error{fmt::format("{}: {}", option, why.sentence), why.exit_status};
}

Result<std::size_t> width_of_output(const std::string& width_text) {
  if (!width_text.empty()) {
    const Result<std::uint64_t> given = parse_count(width_text, {40, 10'000});
    if (!given) return wrong_option("--width", given.error());
    return static_cast<std::size_t>(*given);
  }
  return Terminal(STDOUT_FILENO).text_width();
}

CommandApp::CommandApp(std::string_view name, std::string_view examples) : command(name) {
  const CommandRow* row = find_command(name);
  check(row != nullptr, "every command has a row in commands.cpp");
  app.name(fmt::format("heddle {}", name));
  app.description(fmt::format("heddle {}: {}", name, row->summary));
  app.get_formatter()->label("Usage", "usage");
  app.get_formatter()->column_width(32);
  app.footer(fmt::format("Examples:\n{}", examples));
  app.allow_extras();
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  app.set_help_flag("-h,--help", "show this and exit");
}

std::optional<int> parse(CommandApp& command, Arguments arguments) {
  const auto dashes = std::ranges::find(arguments, "--");
  command.program_given = dashes != arguments.end();
  if (command.program_given) {
    command.program.assign(dashes + 1, arguments.end());
  }
  std::vector<std::string> reversed(arguments.begin(), dashes);  // CLI11 wants the last one first
  std::ranges::reverse(reversed);
  try {
    command.app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    const CommandRow* row = find_command(command.command);
    std::string text = command.app.help();
    // CLI11 cannot word the usage line the way the manual does.
    const std::size_t from = text.find("usage:");
    const std::size_t to = text.find('\n', from);
    if (from != std::string::npos && to != std::string::npos) {
      text.replace(from, to - from, fmt::format("usage: heddle {} {}", row->name, row->usage));
    }
    fmt::print("{}", text);
    return kExitNothingFound;
  } catch (const CLI::ParseError& error) {
    return report(Error{fmt::format("{}; see 'heddle {} --help'.", error.what(), command.command)});
  }
  const std::vector<std::string> extras = command.app.remaining();
  if (!extras.empty()) {
    return report(unexpected_argument(command, extras.front()));
  }
  return std::nullopt;
}

}  // namespace heddle
