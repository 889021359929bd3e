#include "schedule/replay.h"

#include "schedule/stalls.h"

namespace heddle {

void Replay::begin_run(const StrategyContext& context, Prng&) {
  decisions_ = context.replay;
  first_missed_ = nullptr;
  got_instead_ = kNoThread;
  followed_ = 0;
  missed_ = 0;
  for (std::uint32_t& next : next_pick_) next = 0;
  for (std::uint32_t& next : next_other_) next = 0;
}

void Replay::miss(const Decision& decision, ThreadId got) {
  ++missed_;
  if (first_missed_ != nullptr) return;
  first_missed_ = &decision;
  got_instead_ = got;
}

// The thread's next one, or null. Not used up.
const Decision* Replay::next_pick(ThreadId thread) {
  std::uint32_t& next = next_pick_[thread.value];
  for (; next < decisions_.size(); ++next) {
    const Decision& decision = decisions_[next];
    if (decision.from == thread && is_pick(decision.kind)) return &decision;
  }
  return nullptr;
}

const Decision* Replay::find_pick(const SchedulePoint& point) {
  while (const Decision* const decision = next_pick(point.current)) {
    if (decision->from_step > point.current_points) return nullptr;
    ++next_pick_[point.current.value];
    if (decision->from_step == point.current_points) return decision;
    miss(*decision, kNoThread);  // its point has gone by: the thread took another way
  }
  return nullptr;
}

std::uint64_t Replay::goes_on_for(const SchedulePoint& point) {
  if (then_ != nullptr) return 0;
  const Decision* const next = next_pick(point.current);
  if (next == nullptr) return ~std::uint64_t{0};
  return next->from_step > point.current_points ? next->from_step - point.current_points : 0;
}

std::size_t Replay::follow(const Decision& decision, const SchedulePoint& point) {
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    if (point.candidates[i].thread == decision.to) return i;
  }
  return kNoCandidate;
}

const Decision* Replay::take(DecisionKind kind, ThreadId from, std::uint64_t from_step) {
  std::uint32_t& next = next_other_[from.value];
  for (std::uint32_t i = next; i < decisions_.size(); ++i) {
    const Decision& decision = decisions_[i];
    if (decision.from != from || is_pick(decision.kind)) {
      if (i == next) ++next;  // never looked at again: the whole list is walked once per thread
      continue;
    }
    if (decision.from_step > from_step) return nullptr;
    if (decision.from_step == from_step && decision.kind == kind) {
      next = i + 1;
      ++followed_;
      return &decision;
    }
  }
  return nullptr;
}

void Replay::skip_to(std::uint64_t step) {
  std::uint32_t next = 0;
  while (next < decisions_.size() && decisions_[next].step <= step) ++next;
  for (std::uint32_t& own : next_pick_) own = own > next ? own : next;
  for (std::uint32_t& own : next_other_) own = own > next ? own : next;
  if (followed_ + missed_ < next) followed_ = next - missed_;
}

std::size_t Replay::pick(const SchedulePoint& point, Prng& prng) {
  std::size_t otherwise = default_candidate(point);
  if (then_ != nullptr) {
    const std::size_t theirs = then_->pick(point, prng);
    if (first_missed_ != nullptr || finished()) otherwise = theirs;
  }
  if (then_ != nullptr && first_missed_ != nullptr) return otherwise;
  const Decision* decision = find_pick(point);
  if (decision == nullptr) return otherwise;
  const std::size_t index = follow(*decision, point);
  if (index == kNoCandidate) {
    miss(*decision, point.candidates[otherwise].thread);
    return otherwise;
  }
  ++followed_;
  return index;
}

}  // namespace heddle
