// How much time a run has had. Time in which we did not get to look (a suspended virtual machine), or in which the run wanted a
// processor and got none (a machine with too much to do), is no time that the program needed, and does not count.
#pragma once

#include <chrono>
#include <cstdint>

#include "contract/control_block.h"

namespace heddle::campaign {

// What is to be seen of a run at one moment.
struct RunSight {
  bool started = true;
  bool wants_processor = false;     // a thread of its is running, or could
  std::chrono::nanoseconds used{};  // processor time so far
};
RunSight look_at(const ControlBlock& control);

class RunClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  explicit RunClock(Time begin) : begin_(begin), last_(begin) {}

  // Called every few dozen milliseconds. Returns the beginning plus what counts.
  template <class Look>
  Time count(Time now, Look&& look) {
    // Most runs are over before it is worth asking.
    if (counted_ < kAsked) return add(now, RunSight{});
    ++asked_;
    return add(now, look());
  }
  Time add(Time now, const RunSight& sight);

  // It has done nothing for longer than it ever worked before, by what was seen of it.
  bool rests() const { return asked_ > 0 && last_ - last_work_ > last_work_ - begin_; }

 private:
  static constexpr std::chrono::milliseconds kMost{50};    // that counts for one look
  static constexpr std::chrono::milliseconds kAsked{500};  // counted before we ask
  static constexpr int kFairShare = 4;  // who has a quarter of a processor is not kept from working
  static constexpr unsigned kKeptFromWork =
      10;                               // looks at which it wanted a processor, one after the other
  static constexpr int kPatience = 30;  // what counts is never less than such a part of what passed

  Time begin_;
  Time last_;
  std::chrono::nanoseconds used_{};
  std::chrono::nanoseconds counted_{};
  Time last_work_ = begin_;
  unsigned asked_ = 0;
  unsigned wanting_ = 0;  // looks at which it did, up to now
};

}  // namespace heddle::campaign
