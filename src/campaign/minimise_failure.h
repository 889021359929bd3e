// Minimising with real runs: a crew makes them, the failure's signature says which count.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "campaign/crew.h"
#include "campaign/failure.h"
#include "campaign/minimise.h"

namespace heddle::campaign {

struct MinimiseRequest {
  RunInput input;  // follows the recorded decisions
  std::vector<ObjectId> new_points;
  Judgement expected;
  MinimiseLimits limits;
  std::optional<std::chrono::steady_clock::time_point> until;
  std::function<void()> tick;
};

struct MinimisedFailure {
  MinimalSchedule schedule;
  // Of a replay of the minimal schedule, with its trace. Empty: it was not found, or did not replay every time, and the
  // schedule as recorded is to be kept.
  std::optional<RunCapture> capture;
  RunRecord record;
  Judgement judgement;
  unsigned replays = 0;
  unsigned replays_same = 0;
  bool cut_short = false;  // the time ran out before all replays were made
};

MinimisedFailure minimise_failure(Crew& crew, const MinimiseRequest& request);

// The minimal schedule takes the place of the one found, which is kept beside it.
void adopt(Failure& failure, MinimisedFailure minimised);

// Runs candidates and compares what came of them with the failure expected.
TryAll crew_trials(Crew& crew, const Judgement& expected,
                   std::optional<std::chrono::steady_clock::time_point> until,
                   std::function<void()> tick = {});

}  // namespace heddle::campaign
