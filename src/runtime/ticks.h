// The processor's time stamp counter (rdtsc, rdtscp) on virtual time, in runs whose plan asks for it (decision 0024). The
// kernel lets each reading fault, which costs a microsecond or two, and the answer is the virtual clock's.
#pragma once

namespace heddle::runtime {

// Of the run that begins, by its first thread; threads inherit it.
void begin_virtual_ticks();

// The real counter again, for good: in a forked child.
void end_virtual_ticks();

// The real counter for the calling thread, for a while: around starting another program, which inherits that.
class RealTicks {
 public:
  RealTicks();
  ~RealTicks();
  RealTicks(const RealTicks&) = delete;
  RealTicks& operator=(const RealTicks&) = delete;
};

}  // namespace heddle::runtime
