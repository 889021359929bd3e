// When to let a timer fire although others could run, for all strategies alike.
//
// A sleeper that may be woken early is a candidate with `stall` set. Treating it like any other would time out every
// polite wait; never choosing it would miss every sleep used as synchronisation. So the plan says which runs have
// stalls at all (kPlanStalls), and in those they come at a rate drawn for the run.
#pragma once

#include <cstddef>

#include "base/prng.h"
#include "contract/schedule_point.h"

namespace heddle {

inline constexpr std::size_t kNoCandidate = ~std::size_t{0};

class Stalls {
 public:
  void begin_run(Prng& prng) { one_in_ = std::uint32_t{2} << prng.below(6); }

  // The stalled candidate to run now, or kNoCandidate. Draws nothing at points without stalled candidates.
  std::size_t pick(const SchedulePoint& point, Prng& prng) const {
    std::size_t stalled = 0;
    for (const PendingOperation& candidate : point.candidates) stalled += candidate.stall;
    if (stalled == 0) return kNoCandidate;
    const bool all = stalled == point.candidates.size();
    if (!all && !prng.chance(1, one_in_)) return kNoCandidate;
    std::size_t left = prng.below(stalled);
    for (std::size_t i = 0; i < point.candidates.size(); ++i) {
      if (point.candidates[i].stall != 0 && left-- == 0) return i;
    }
    return kNoCandidate;
  }

 private:
  std::uint32_t one_in_ = 64;
};

// Where `thread` stands among the candidates that need no stall, or kNoCandidate.
inline std::size_t find_candidate(const SchedulePoint& point, ThreadId thread) {
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    if (point.candidates[i].thread == thread && point.candidates[i].stall == 0) return i;
  }
  return kNoCandidate;
}

// The next thread after `current` in cyclic order that needs no stall; `current` itself only if it is alone.
inline std::size_t next_in_turn(const SchedulePoint& point) {
  std::size_t first = kNoCandidate;
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    if (point.candidates[i].stall != 0) continue;
    if (point.candidates[i].thread > point.current) return i;
    if (first == kNoCandidate) first = i;
  }
  return first == kNoCandidate ? 0 : first;
}

// The engine's default (contract/decision.h): the thread that got here unless it cannot go on or gives way.
inline std::size_t default_candidate(const SchedulePoint& point) {
  if (point.current_can_run && !point.current_yields) {
    const std::size_t current = find_candidate(point, point.current);
    if (current != kNoCandidate) return current;
  }
  return next_in_turn(point);
}

// A uniformly drawn candidate that needs no stall and is not `except`; `except` only if it is alone.
inline std::size_t any_candidate(const SchedulePoint& point, ThreadId except, Prng& prng) {
  std::size_t count = 0;
  for (const PendingOperation& candidate : point.candidates) {
    count += candidate.stall == 0 && candidate.thread != except;
  }
  if (count == 0) return default_candidate(point);
  std::size_t left = prng.below(count);
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    const PendingOperation& candidate = point.candidates[i];
    if (candidate.stall == 0 && candidate.thread != except && left-- == 0) return i;
  }
  return default_candidate(point);
}

}  // namespace heddle
