#include "runtime/cond_clock.h"

#include <gtest/gtest.h>

namespace heddle::runtime {
namespace {

clockid_t clock_of_one_made_with(clockid_t clock) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, clock);
  pthread_cond_t cond;
  pthread_cond_init(&cond, &attributes);
  const clockid_t found = cond_clock(&cond);
  pthread_cond_destroy(&cond);
  return found;
}

TEST(CondClock, IsReadFromTheCondvarItself) {
  EXPECT_EQ(clock_of_one_made_with(CLOCK_MONOTONIC), CLOCK_MONOTONIC);
  EXPECT_EQ(clock_of_one_made_with(CLOCK_REALTIME), CLOCK_REALTIME);
}

TEST(CondClock, OfAStaticallyInitialisedCondvarIsRealTime) {
  pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  EXPECT_EQ(cond_clock(&cond), CLOCK_REALTIME);
}

}  // namespace
}  // namespace heddle::runtime
