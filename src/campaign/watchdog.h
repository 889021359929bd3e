// Notices that the thread which has control sleeps in the kernel in a call nobody models, and asks the engine to hand control
// on (runtime/controlled). A thread that works without a scheduling point may wait for others on memory that we do not see. Where
// that is likely it is asked after a moment, else when a good part of its run's time is gone; it keeps control if nobody else could go on.
// Where a timer of the program's is to go off, it may work until its handler says so, and virtual time stands still: then it is asked
// once as much real time has passed.
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

  // work_patience: with a thread that works.
  Watchdog(ControlBlock& control, Time now, std::chrono::nanoseconds work_patience);

  // How long a thread may work where its accesses are events, or are none.
  static std::chrono::nanoseconds patience_with_work(bool sees_accesses,
                                                     std::chrono::nanoseconds timeout);

  // Called every few dozen milliseconds; true if it asked for a hand-over.
  bool look(Time now);

 private:
  static constexpr unsigned kMostTries = 20;

  bool awaits_timer(Time now) const;
  bool tries_again() const;

  ControlBlock& control_;
  std::chrono::nanoseconds work_patience_;
  std::uint64_t last_progress_;
  Time last_change_;
  unsigned tries_ = 0;           // to take control from a thread that works
  std::uint64_t handovers_ = 0;  // when it was last asked
};

}  // namespace heddle::campaign
