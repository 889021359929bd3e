#include "driver/commands.h"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

constexpr std::array<CommandRow, 17> kCommands{{
    {"c++", "ARGS...", "compile or link C++, instrumented", cxx_command},
    {"cc", "ARGS...", "compile or link C, instrumented", cc_command},
    {"run", "[options] -- PROG ARGS...",
     "hunt: run again and again until a failure, a budget or saturation", run_command},
    {"replay", "FAILURE [--times N] [--prefix K] [--gdb] [-- PROG]",
     "run a kept failure again, exactly", replay_command},
    {"minimize", "FAILURE [--for 30s] [-- PROG]", "fewest preemptions that still fail",
     minimize_command},
    {"explain", "FAILURE [-- PROG]", "lanes, decisive pair, class of bug", explain_command},
    {"show", "FAILURE|TRACE", "the whole interleaving as text", show_command},
    {"explore", "[options] -- PROG ARGS...", "systematic: every distinct behaviour within bounds",
     nullptr},
    {"reads", "-- PROG ARGS...", "every shared read with the writes it may see", nullptr},
    {"search", "[options] -- PROG ARGS...", "tune noise and test parameters", nullptr},
    {"compare", "[options] -- PROG ARGS...", "a grid of configurations side by side",
     compare_command},
    {"coverage", "CAMPAIGN", "metrics, curves, what is not covered", coverage_command},
    {"verify", "FAILURE [-- PROG]", "does a fix hold under the old schedule and its neighbours?",
     verify_command},
    {"save", "FAILURE", "keep the minimal schedule as a regression case", save_command},
    {"report", "CAMPAIGN|FAILURE -o report.html", "write a report to open in a browser", nullptr},
    {"list", "strategies|noise|metrics|detectors", "what can be chosen, one line each",
     list_command},
    {"doctor", "[-- PROG ARGS...]", "what heddle can do here, and with this program",
     doctor_command},
}};

}  // namespace

std::span<const CommandRow> command_table() { return kCommands; }

const CommandRow* find_command(std::string_view name) {
  const auto found = std::ranges::find(kCommands, name, &CommandRow::name);
  return found == kCommands.end() ? nullptr : &*found;
}

}  // namespace heddle
