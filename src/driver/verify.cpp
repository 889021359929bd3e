// heddle verify: does a fix hold under the old schedule, its neighbours, and the strategy that found the failure?
#include <fmt/core.h>
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
  if (const std::optional<campaign::Schedule> found = schedule_as_found(opened)) {
    input = found->input;
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

// What still fails; kept where it is not the old failure itself, so that it can be replayed and explained.
void tell_rest(const FailureAtHand& at_hand, campaign::StillFailing still) {
  fmt::print("still: {}\n", still.judgement.message);
  if (at_hand.prepared.program.build_id == at_hand.opened.schedule.program.build_id &&
      still.judgement.signature == at_hand.opened.schedule.judgement.signature) {
    return;
  }
  NewFailure failure;
  failure.old = &at_hand.opened;
  failure.program = &at_hand.prepared.program;
  failure.judgement = std::move(still.judgement);
  failure.record = std::move(still.record);
  failure.capture = std::move(still.capture);
  const Result<std::string> kept = keep_beside(std::move(failure));
  if (!kept) {
    report(kept.error());
    return;
  }
  fmt::print("kept in {}; see: heddle explain {}\n", *kept, shell_word(*kept));
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
  const Result<std::chrono::nanoseconds> time = parse_some_time(time_text);
  if (!time) return report(wrong_option("--for", time.error()));
  Result<FailureAtHand> at_hand = take_up(failure, command.program);
  if (!at_hand) return report(at_hand.error());
  const OpenedFailure& opened = at_hand->opened;

  const std::uint64_t first_run = first_run_of(opened);
  campaign::VerifyRequest request;
  request.minimal = opened.schedule.input;
  request.places = opened.schedule.places;
  request.minimal.plan.flags &= ~static_cast<std::uint32_t>(kPlanFreeAfterDrift);
  request.found = found_input(opened);
  request.strategy_runs = std::clamp(10 * first_run, kFewestRuns, kMostRuns);
  request.until = std::chrono::steady_clock::now() + *time;
  StatusLine status(STDERR_FILENO);
  request.tick = [&] { status.show("verifying"); };
  campaign::Verification verification = verify(at_hand->crew(), request);
  status.clear();
  if (at_hand->interrupted()) return kExitInconclusive;
  const bool fails = verification.first_failure || verification.failed() > 0;
  if (verification.first_failure) tell_rest(*at_hand, *std::move(verification.first_failure));
  fmt::print("{}\n", campaign::verification_text(verification, first_run));
  if (verification.holds()) return kExitNothingFound;
  return fails ? kExitFailureFound : kExitInconclusive;
}

}  // namespace heddle
