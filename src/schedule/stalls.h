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

// Yields of everybody else, for each of them, before a strategy lets one go on that it holds back. Library code polls some
// sixteen times before it blocks (std::atomic::wait and all that is made of it), and only then are the others where they should be.
inline constexpr std::uint64_t kPatience = 24;

class Stalls {
 public:
  void begin_run(Prng& prng) {
    one_in_ = std::uint32_t{2} << prng.below(6);
    ahead_ = kNoThread;
  }

  // The candidate to run now, or kNoCandidate: a stalled one, or one that was. Draws nothing at points without stalled
  // candidates.
  std::size_t pick(const SchedulePoint& point, Prng& prng);

 private:
  std::size_t draw(const SchedulePoint& point, Prng& prng) const;

  std::uint32_t one_in_ = 64;
  ThreadId ahead_ =
      kNoThread;            // woken early: whoever made the others late gets on with it for a while
  std::uint32_t left_ = 0;  // points of that while
};

// Where `thread` stands among the candidates that need no stall, or kNoCandidate.
inline std::size_t find_candidate(const SchedulePoint& point, ThreadId thread) {
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    if (point.candidates[i].thread == thread && point.candidates[i].stall == 0) return i;
  }
  return kNoCandidate;
}

inline std::size_t Stalls::draw(const SchedulePoint& point, Prng& prng) const {
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

inline std::size_t Stalls::pick(const SchedulePoint& point, Prng& prng) {
  if (ahead_ != kNoThread) {
    const bool yields = point.current_yields && point.current == ahead_;
    const std::size_t ahead = yields || left_ == 0 ? kNoCandidate : find_candidate(point, ahead_);
    if (ahead != kNoCandidate) {
      --left_;
      return ahead;
    }
    ahead_ = kNoThread;
  }
  const std::size_t stalled = draw(point, prng);
  if (stalled == kNoCandidate) return kNoCandidate;
  ahead_ = point.candidates[stalled].thread;
  left_ = (std::uint32_t{1} << prng.below(8)) - 1;
  return stalled;
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

// Of those that wait and of those that do not, one each, uniformly drawn; kNoCandidate where there is none. Who yields does not
// count as moving, and stalled ones are left out.
struct Apart {
  std::size_t moving = kNoCandidate;
  std::size_t waiting = kNoCandidate;
};
template <class Waits>
Apart draw_apart(const SchedulePoint& point, Prng& prng, const Waits& waits) {
  Apart drawn;
  std::uint64_t moving_chances = 0;
  std::uint64_t waiting_chances = 0;
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    const PendingOperation& candidate = point.candidates[i];
    if (candidate.stall != 0) continue;
    if (waits(candidate)) {
      if (prng.chance(1, ++waiting_chances)) drawn.waiting = i;
    } else if (!point.current_yields || candidate.thread != point.current) {
      if (prng.chance(1, ++moving_chances)) drawn.moving = i;
    }
  }
  return drawn;
}

}  // namespace heddle
