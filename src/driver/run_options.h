// The options that all running commands share (run, explore, search, compare …): declared once, checked once.
//
//   CommandApp command("run", "…");
//   RunOptionTexts texts;
//   add_run_options(command, texts);
//   if (auto end = parse(command, arguments)) return *end;
//   Result<RunOptions> options = check_run_options(command, texts);
#pragma once

#include <string>
#include <vector>

#include "campaign/options.h"
#include "driver/command_line.h"
#include "host/result.h"

namespace heddle {

// As typed; empty where not given.
struct RunOptionTexts {
  std::string time_budget;
  std::string run_budget;
  std::string timeout;
  std::string engine;
  std::string strategy;
  std::string noise;
  std::string level;
  std::string seed;
  std::string jobs;
  std::string max_stall;
  std::string out;
  std::string json;
  std::string standard_input;
  std::vector<std::string> fail_if;
  std::string expect_output;
  std::vector<std::string> detect;
  std::vector<std::string> fail_on;
  std::string suppressions;
  std::string memory;
  std::vector<std::string> coverage;
  std::string until;
  bool keep_going = false;
  bool no_minimize = false;
  bool resume = false;
  bool quiet = false;
  bool hints = false;
  bool confirm = false;
  bool spurious = false;
};

void add_run_options(CommandApp& command, RunOptionTexts& texts);

// The first thing that is wrong, or everything as data. Takes the program from command.program.
Result<RunOptions> check_run_options(const CommandApp& command, const RunOptionTexts& texts);

}  // namespace heddle
