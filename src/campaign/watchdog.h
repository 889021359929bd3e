// Notices that the thread which has control sleeps in the kernel in a call nobody models, and asks the engine to hand control
// on (runtime/controlled). A thread that spins without a scheduling point is left to the deadline: it may be working. But where a
// timer of the program's is to go off, it may work until its handler says so, and virtual time stands still: that thread, too, loses
// control once as much real time has passed.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

#include "contract/control_block.h"

namespace heddle::campaign {

class Watchdog {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kPatience{100};
  static constexpr std::chrono::milliseconds kPatienceWithWork{300};

  Watchdog(ControlBlock& control, Time now);

  // Called every few dozen milliseconds; true if it asked for a hand-over.
  bool look(Time now);

 private:
  bool awaits_timer(Time now) const;

  ControlBlock& control_;
  std::uint64_t last_progress_;
  Time last_change_;
};

}  // namespace heddle::campaign
