// A fair order for the end of a run that may be a livelock: whoever has waited longest goes first. If the program still
// makes no progress, it is not the strategy's unfairness that keeps it from it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/control_block.h"
#include "contract/schedule_point.h"

namespace heddle {

class FairTail {
 public:
  void begin_run() {
    for (std::uint64_t& last : last_run_) last = 0;
  }

  // Candidates that need no stall first: a timer that is not due may be what all others wait for, but only then.
  std::size_t pick(const SchedulePoint& point) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < point.candidates.size(); ++i) {
      if (before(point.candidates[i], point.candidates[best])) best = i;
    }
    last_run_[point.candidates[best].thread.value] = point.step + 1;
    return best;
  }

 private:
  bool before(const PendingOperation& a, const PendingOperation& b) const {
    if (a.stall != b.stall) return a.stall < b.stall;
    return last_run_[a.thread.value] < last_run_[b.thread.value];
  }

  std::uint64_t last_run_[kMaxThreads] = {};
};

}  // namespace heddle
