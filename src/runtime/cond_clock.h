// Which clock a condition variable's deadlines are measured on.
#pragma once

#include <pthread.h>
#include <time.h>

namespace heddle::runtime {

// glibc keeps pthread_condattr_setclock in the condvar itself: bit 1 of __wrefs says CLOCK_MONOTONIC. So statically
// initialised, copied and foreign condvars are all answered right, without a table of ours.
inline clockid_t cond_clock(const pthread_cond_t* cond) {
  constexpr unsigned kMonotonicBit = 2;
  const unsigned bits = __atomic_load_n(&cond->__data.__wrefs, __ATOMIC_RELAXED);
  return (bits & kMonotonicBit) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

}  // namespace heddle::runtime
