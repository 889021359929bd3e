// budget=N%: noise may slow the program down by so much, and should.
//
// What a delay costs cannot be told from its length: where another thread fills the gap it costs nothing, where all wait
// for one lock it costs each of them. So the program's own pace is measured, in events per time. Time is cut into
// stretches. In quiet ones noise may not act; they tell the pace, and each pays back its share of the debt. Others run the
// debt up: by what they took beyond the time of as many events at the quiet pace, with the budget on top. Noise may begin
// while there is no debt and the pace has just been measured.
//
// One for all threads, without waiting: who comes while another thread reckons goes by the last answer.
#pragma once

#include <cstdint>

namespace heddle {

class Budget {
 public:
  constexpr Budget() = default;

  void begin_run(std::uint32_t percent);  // 0: none
  bool is_set() const { return percent_ != 0; }

  // May noise act now?
  bool allows() const { return __atomic_load_n(&allowed_, __ATOMIC_RELAXED); }
  // The same, after another look at the time (nanoseconds of any steady clock) and the events that the calling thread had
  // since it last asked like this.
  bool allows(std::uint64_t now, std::uint64_t events);

  // Around everything that noise does to a thread.
  void noise_begins();
  void noise_ends();

 private:
  void reckon(std::uint64_t now);

  std::int64_t percent_ = 0;
  // Shared, atomic.
  std::uint64_t events_ = 0;
  std::uint32_t under_way_ = 0;  // disturbances now
  bool allowed_ = false;
  bool reckoning_ = false;
  // Of whoever reckons: the stretch at hand, ...
  std::uint64_t since_ = 0;
  std::uint64_t events_then_ = 0;
  bool quiet_ = false;
  std::uint32_t stretches_ = 0;  // ended ones, this one's like, in a row
  // ... the quiet pace, and the debt in nanoseconds (negative: saved).
  std::int64_t quiet_events_ = 0;
  std::int64_t quiet_time_ = 0;
  std::int64_t debt_ = 0;
};

}  // namespace heddle
