// What was decided in a run. RunPlan + decisions = the run again.
//
// A scheduling point has candidates (threads that could come next, ascending by id) and a default: the thread that
// got there, if it can go on and does not give way, else the next candidate after it in the circle of ids. Only
// departures from the default are stored, so removing a decision means "carry on" and a minimiser can drop them one by
// one. (from, from_step) names a point: every scheduling point of a thread has its own number.
#pragma once

#include <cstdint>
#include <type_traits>

#include "contract/ids.h"

namespace heddle {

enum class DecisionKind : std::uint8_t {
  none = 0,
  run = 1,       // `to` runs instead of the default
  wake = 2,      // a signal or futex wake picks waiter `to` instead of the longest waiting
  timeout = 3,   // `to`'s timer fires although others could run: a stall of `amount` ns
  spurious = 4,  // `to` leaves its condition wait without a signal
  external = 5,  // `to` came back from outside control here
};

enum class SwitchReason : std::uint8_t {
  none = 0,
  preempted,  // `from` could have gone on
  blocked,    // `from` waits
  ended,      // `from` finished
  yielded,    // `from` gave way (yield, spin, noise)
};

struct Decision {
  std::uint64_t step;       // global scheduling point number in the recorded run
  std::uint64_t from_step;  // `from`'s own count of scheduling points: survives drift elsewhere
  SiteId site;              // where `from` stood
  std::uint64_t amount;     // of a timeout: nanoseconds the clock jumped
  ThreadId from;
  ThreadId to;
  DecisionKind kind;
  SwitchReason reason;
  std::uint16_t candidates;  // how many there were
};
static_assert(sizeof(Decision) == 40);
static_assert(std::has_unique_object_representations_v<Decision>);

}  // namespace heddle
