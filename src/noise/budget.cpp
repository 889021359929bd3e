#include "noise/budget.h"

namespace heddle {

namespace {

constexpr std::int64_t kMicrosecond = 1'000;

// Long enough to average over a few time slices of a program's own making, short enough to stop soon.
constexpr std::int64_t kStretch = 500 * kMicrosecond;
// Nobody asked for so long: threads were blocked or alone, which says nothing of the pace of those that ask.
constexpr std::int64_t kNoMeasure = 16 * kStretch;
// The pace changes: noise begins only after so many quiet stretches in a row, and goes on for so many at most; of the
// past, the last few times kMemory counts.
constexpr std::uint32_t kQuietBefore = 6;
constexpr std::uint32_t kLongestNoise = 24;
constexpr std::int64_t kMemory = 80 * kStretch;
// What a long quiet time saves up at most: it is not to be spent in one go.
constexpr std::int64_t kMostSaved = 40 * kStretch;

}  // namespace

void Budget::begin_run(std::uint32_t percent) {
  *this = {};
  percent_ = percent;
}

bool Budget::allows(std::uint64_t now, std::uint64_t events) {
  __atomic_fetch_add(&events_, events, __ATOMIC_RELAXED);
  if (!__atomic_exchange_n(&reckoning_, true, __ATOMIC_ACQUIRE)) {
    reckon(now);
    __atomic_store_n(&reckoning_, false, __ATOMIC_RELEASE);
  }
  return allows();
}

void Budget::noise_begins() { __atomic_fetch_add(&under_way_, 1, __ATOMIC_RELAXED); }
void Budget::noise_ends() { __atomic_fetch_sub(&under_way_, 1, __ATOMIC_RELAXED); }

// Ends the stretch at hand if it is long enough, and begins the next.
void Budget::reckon(std::uint64_t now) {
  const std::uint64_t events = __atomic_load_n(&events_, __ATOMIC_RELAXED);
  const auto took = static_cast<std::int64_t>(now - since_);
  const auto done = static_cast<std::int64_t>(events - events_then_);
  if (since_ != 0) {
    if (took < kStretch) return;
    ++stretches_;
    if (!quiet_) {
      const std::int64_t usual = quiet_events_ == 0 ? took : done * quiet_time_ / quiet_events_;
      debt_ += took - usual - usual * percent_ / 100;
    } else {
      debt_ -= took * percent_ / 100;
      if (took < kNoMeasure) {
        quiet_events_ += done;
        quiet_time_ += took;
      }
    }
    if (quiet_time_ > kMemory) {
      quiet_events_ /= 2;
      quiet_time_ /= 2;
    }
    if (debt_ < -kMostSaved) debt_ = -kMostSaved;
  }
  since_ = now;
  events_then_ = events;
  const bool goes_on = allows() ? stretches_ < kLongestNoise : quiet_ && stretches_ >= kQuietBefore;
  const bool allowed = debt_ < 0 && goes_on;
  const bool quiet = !allowed && __atomic_load_n(&under_way_, __ATOMIC_RELAXED) == 0;
  if (quiet != quiet_) stretches_ = 0;
  quiet_ = quiet;
  __atomic_store_n(&allowed_, allowed, __ATOMIC_RELAXED);
}

}  // namespace heddle
