// heddle verify: does a fix hold under the old schedule, its neighbours, and the strategy that found the failure?
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>

#include "campaign/failure_folder.h"
#include "campaign/verify.h"
#include "driver/command_line.h"
#include "driver/commands.h"
#include "driver/kept_failure.h"
#include "host/files.h"
#include "host/terminal.h"
#include "host/text.h"

namespace heddle {
namespace {

using campaign::OpenedFailure;

constexpr std::uint64_t kFewestRuns = 100;
constexpr std::uint64_t kMostRuns = 1000;

// The plan of the run that found it: from the schedule as found, where a minimal one has taken its place.
campaign::RunInput found_input(const OpenedFailure& opened) {
  campaign::RunInput input = opened.schedule.input;
  const std::filesystem::path file = opened.folder / campaign::kOriginalSchedule;
  if (const Result<std::string> text = read_file(file)) {
    const Result<campaign::Schedule> original = campaign::parse_schedule(*text, file.string());
    if (original) input = original->input;
  }
  input.replay = nullptr;
  input.plan.flags &= ~static_cast<std::uint32_t>(kPlanFollow | kPlanFreeAfterDrift);
  return input;
}

std::uint64_t first_run_of(const OpenedFailure& opened) {
  const Result<std::string> text = read_file(opened.folder / "failure.json");
  if (!text) return 0;
  const campaign::Json json = campaign::Json::parse(*text, nullptr, false);
  return json.is_discarded() ? 0 : json.value("first_run", std::uint64_t{0});
}

}  // namespace

int verify_command(Arguments arguments) {
  CommandApp command("verify",
                     "  heddle verify heddle-out/failures/<id>\n"
                     "  heddle verify heddle-out/failures/<id> -- ./build/prog");
  std::string failure;
  std::string time_text = "60s";
  command.app.add_option("FAILURE", failure, "a failure's folder");
  command.app.add_option("--for", time_text, "how long at most (60s)");
  if (const std::optional<int> end = parse(command, arguments)) return *end;
  if (failure.empty()) {
    return report(Error{"Name the failure that was fixed, for example heddle-out/failures/<id>."});
  }
  const Result<std::chrono::nanoseconds> time = parse_duration(time_text);
  if (!time) return report(time.error());
  const Result<OpenedFailure> opened = open_replayable(failure);
  if (!opened) return report(opened.error());
  const Result<Prepared> prepared = prepare(opened->schedule, command.program);
  if (!prepared) return report(prepared.error());
  for (const std::string& difference : prepared->differences) {
    fmt::print("differs: {}\n", difference);
  }
  Result<std::unique_ptr<RunningFailure>> running =
      RunningFailure::start(*prepared, *opened, all_jobs());
  if (!running) return report(running.error());

  const std::uint64_t first_run = first_run_of(*opened);
  campaign::VerifyRequest request;
  request.minimal = opened->schedule.input;
  request.minimal.plan.flags &= ~static_cast<std::uint32_t>(kPlanFreeAfterDrift);
  request.found = found_input(*opened);
  request.strategy_runs = std::clamp(10 * first_run, kFewestRuns, kMostRuns);
  request.until = std::chrono::steady_clock::now() + *time;
  StatusLine status(STDERR_FILENO);
  request.tick = [&] { status.show("verifying"); };
  const campaign::Verification verification = verify((*running)->crew(), request);
  status.clear();
  if ((*running)->interrupted()) return kExitInconclusive;
  if (!verification.first_failure.empty()) fmt::print("still: {}\n", verification.first_failure);
  fmt::print("{}\n", campaign::verification_text(verification, first_run));
  return verification.holds() ? kExitNothingFound : kExitFailureFound;
}

}  // namespace heddle
