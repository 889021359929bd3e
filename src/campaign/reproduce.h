// Makes a failing run again and says how often it failed in the same way.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "campaign/crew.h"
#include "campaign/failure.h"

namespace heddle::campaign {

struct Attempt {
  Judgement judgement;  // kind none: the program passed
  RunRecord record;
  bool same_failure = false;  // kind and signature are those expected
  bool same_events = false;   // down to the hash of every event
  std::string divergence;     // where it left the recorded schedule, in words; empty: it did not
};

struct Reproduction {
  std::vector<Attempt> attempts;
  bool cut_short = false;  // the time ran out before all were made
  unsigned same = 0;
  unsigned passed = 0;
  std::optional<RunCapture>
      capture;                // with its trace, of the first attempt that failed in the same way
  RunRecord captured_record;  // of the same; whose wake-ups were lost is known
  Judgement judgement;        // of the same
  std::optional<RunCapture> other_capture;  // of the first that failed in another way
  std::size_t other_attempt = 0;            // which one that was
};

struct ReproductionRequest {
  RunInput input;  // with the decisions to follow
  Judgement expected;
  std::uint64_t event_hash = 0;  // 0: not known
  unsigned times = 10;
  std::optional<std::chrono::steady_clock::time_point> until;
};

// The input that makes a recorded run again. Where decisions did not fit their area it is repeated from the seed instead.
RunInput replay_input(const RunRecord& record, const RunCapture& capture);

// Sets the flags of a replay: follow the decisions, the default between them; once one cannot be followed the recorded
// strategy decides. With a prefix it decides after that.
void follow_decisions(RunPlan& plan);

Reproduction reproduce(Crew& crew, const ReproductionRequest& request,
                       const std::function<void()>& tick = {});

// What replaying a failure tells of it: how often it came, its trace, and what to call it.
void adopt(Failure& failure, Reproduction reproduction);

// "10/10", or "7/10, because …".
std::string reproduction_text(const Reproduction& reproduction);

}  // namespace heddle::campaign
