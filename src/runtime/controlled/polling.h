// Whether a thread polls: looks at the same places again and again and finds there what it found before. Who does so may get on all the
// same, by work that nobody else sees: between its looks at a flag, say. That shows in its registers and its stack, where a loop
// counts; who only polls is each time as it was.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::controlled {

class Polling {
 public:
  // It looked. `key` names what was looked at and what was seen; `changes` counts what others may see of all threads so far; `state` is
  // the thread's own (own_state.h), 0 where nobody looked.
  void look(std::uint64_t key, std::uint64_t changes, std::uint64_t state = 0) {
    const std::size_t known = index_of(key);
    if (known == kPlaces) {
      const std::size_t at = next_++ % kPlaces;
      keys_[at] = key;
      states_[at] = state;
      streak_ = 0;
      changes_seen_ = changes;
      circle_ = seen_ = bit(at);
      looks_ = 1;
      return;
    }
    ++streak_;
    circle_ |= bit(known);
    if (states_[known] != state) {
      states_[known] = state;
      moving_ = kLooksAfterMove;
    } else if (moving_ > 0) {
      --moving_;
    }
    if (changes_seen_ != changes) {
      changes_seen_ = changes;
      seen_ = 0;
      looks_ = 0;
    }
    seen_ |= bit(known);
    // So many and not all the way round: what is missing was on the way here.
    if (++looks_ == kMostLooks) circle_ = seen_;
  }

  void forget() {
    if (streak_ != 0) *this = {};
  }

  bool goes_on() const { return streak_ >= kLooksBeforePolling; }
  // It is worth a look at the thread's own state: two looks are compared at least before it counts.
  bool may_go_on() const { return streak_ + kLooksCompared >= kLooksBeforePolling; }
  // It was not where it had been at one of its last looks.
  bool moves() const { return moving_ > 0; }

  // It has looked at all that it polls since something changed last: another look finds nothing new.
  bool in_vain(std::uint64_t changes) const {
    return goes_on() && changes_seen_ == changes && seen_ == circle_;
  }

 private:
  static constexpr std::size_t kPlaces = 8;
  // More than libraries spin before they block (libstdc++ 16 times), so that they get there.
  static constexpr std::uint64_t kLooksBeforePolling = 20;
  static constexpr std::uint32_t kMostLooks = 64;
  static constexpr std::uint64_t kLooksCompared = 16;
  static constexpr std::uint8_t kLooksAfterMove = 12;

  static std::uint8_t bit(std::size_t index) { return static_cast<std::uint8_t>(1u << index); }

  std::size_t index_of(std::uint64_t key) const {
    for (std::size_t i = 0; i < kPlaces; ++i) {
      if (keys_[i] == key) return i;
    }
    return kPlaces;
  }

  std::uint64_t keys_[kPlaces];    // the latest ones; 0: none
  std::uint64_t states_[kPlaces];  // the thread's at each
  std::uint64_t next_;             // whose place the next one takes
  std::uint64_t streak_;           // looks that found nothing new
  std::uint64_t changes_seen_;     // at its last look
  std::uint32_t looks_;            // since then
  std::uint8_t circle_;            // those of the keys that it looks at in turn,
  std::uint8_t seen_;              // and those it has looked at since the last change
  std::uint8_t moving_;            // looks for which it still counts as moving
};

}  // namespace heddle::controlled
