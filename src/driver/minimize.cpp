// heddle minimize: the fewest preemptions with which a kept failure still comes. 'heddle run' does it by itself.
#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>

#include "campaign/failure_folder.h"
#include "campaign/minimise_failure.h"
#include "campaign/trace_bytes.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/kept_failure.h"
#include "host/files.h"
#include "host/terminal.h"
#include "host/text.h"
#include "report/status_line.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using campaign::MinimisedFailure;
using campaign::OpenedFailure;

// The numbers of failure.json follow; all else in it is about the failure as it was found.
Result<void> update_failure_json(const fs::path& file, const campaign::ScheduleCost& after) {
  const Result<std::string> text = read_file(file);
  if (!text) return {};  // a bare schedule.json was given
  campaign::Json json = campaign::Json::parse(*text, nullptr, false);
  if (json.is_discarded()) return {};
  json["preemptions_after"] = after.preemptions;
  json["switches_after"] = after.switches;
  return write_file(file, campaign::readable(json));
}

Result<void> keep(const OpenedFailure& opened, const MinimisedFailure& minimised) {
  const fs::path current = opened.folder / "schedule.json";
  const fs::path original = opened.folder / campaign::kOriginalSchedule;
  std::error_code ignored;
  if (!fs::exists(original, ignored)) {
    const Result<std::string> text = read_file(current);
    if (!text) return text.error();
    if (Result<void> written = write_file(original, *text); !written) return written;
  }
  campaign::Schedule schedule = opened.schedule;
  schedule.input = minimised.schedule.input;
  schedule.judgement = minimised.judgement;
  schedule.event_hash = minimised.record.outcome.event_hash;
  schedule.modules = minimised.capture->modules;
  schedule.places = campaign::places_of(*schedule.input.replay, *minimised.capture);
  const std::pair<fs::path, std::string> files[] = {
      {"stdout", minimised.capture->out.text},
      {"stderr", minimised.capture->err.text},
      {"trace", campaign::trace_bytes(*minimised.capture)},
      {"schedule.json", campaign::schedule_text(schedule)},
  };
  for (const auto& [name, text] : files) {
    if (Result<void> written = write_file(opened.folder / name, text); !written) return written;
  }
  return update_failure_json(opened.folder / "failure.json", minimised.schedule.best);
}

int tell(const OpenedFailure& opened, const MinimisedFailure& minimised) {
  const campaign::MinimalSchedule& schedule = minimised.schedule;
  if (!schedule.reproduced) {
    return report(Error{fmt::format("The failure did not come again, so there is nothing to make "
                                    "smaller; see 'heddle replay {}'.",
                                    shell_word(opened.folder.string())),
                        kExitInconclusive});
  }
  if (!minimised.capture && minimised.cut_short) {
    return report(
        Error{fmt::format("The time ran out before the smaller schedule was replayed "
                          "often enough ({} of {} failed), so the recorded one is kept; "
                          "give it more with --for.",
                          minimised.replays_same, reports::counted(minimised.replays, "replay")),
              kExitInconclusive});
  }
  if (!minimised.capture) {
    return report(Error{fmt::format("The smaller schedule failed only {} of {} times, so the "
                                    "recorded one is kept; something outside heddle's control "
                                    "decides. 'heddle doctor' may say what.",
                                    minimised.replays_same, minimised.replays),
                        kExitInconclusive});
  }
  fmt::print("preemptions {} -> {}, switches {} -> {}, scheduling points {} -> {}",
             schedule.before.preemptions, schedule.best.preemptions, schedule.before.switches,
             schedule.best.switches, schedule.before.steps, schedule.best.steps);
  if (schedule.before.stalls > 0) {
    fmt::print(", stalls {} -> {}", schedule.before.stalls, schedule.best.stalls);
  }
  fmt::print(" ({}{})\n", reports::counted(schedule.runs, "run"),
             schedule.out_of_budget ? ", the budget is used up" : "");
  fmt::print("replays {}/{}; the schedule as found is kept in {}\n", minimised.replays_same,
             minimised.replays, campaign::kOriginalSchedule);
  return kExitNothingFound;
}

}  // namespace

int minimize_command(Arguments arguments) {
  CommandApp command("minimize",
                     "  heddle minimize heddle-out/failures/<id>\n"
                     "  heddle minimize heddle-out/failures/<id> --for 5m");
  std::string failure;
  std::string time_text = "30s";
  command.app.add_option("FAILURE", failure, "a failure's folder");
  command.app.add_option("--for", time_text, "how long at most (30s)");
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  if (failure.empty()) {
    return report(Error{"Name the failure to minimize, for example heddle-out/failures/<id>."});
  }
  const Result<std::chrono::nanoseconds> time = parse_some_time(time_text);
  if (!time) return report(wrong_option("--for", time.error()));
  Result<FailureAtHand> at_hand = take_up(failure, command.program);
  if (!at_hand) return report(at_hand.error());
  const OpenedFailure& opened = at_hand->opened;

  campaign::MinimiseRequest request;
  request.input = opened.schedule.input;
  request.expected = opened.schedule.judgement;
  request.until = std::chrono::steady_clock::now() + *time;
  request.limits.runs = kUnlimited;  // time is what the user gave
  request.limits.systematic_runs = 20'000;
  StatusLine status(STDERR_FILENO);
  request.tick = [&] { status.show("minimizing"); };
  const MinimisedFailure minimised = minimise_failure(at_hand->crew(), request);
  status.clear();
  if (at_hand->interrupted()) return kExitInconclusive;
  if (minimised.capture) {
    if (Result<void> kept = keep(opened, minimised); !kept) return report(kept.error());
  }
  return tell(opened, minimised);
}

}  // namespace heddle
