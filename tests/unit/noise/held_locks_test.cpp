#include <gtest/gtest.h>

#include <vector>

#include "noise/held_locks.h"
#include "scripted.h"

namespace heddle {
namespace {

using namespace scripted;

std::vector<std::uint64_t> held(const std::vector<Event>& script) {
  HeldLocks locks{};
  for (const Event& event : script) locks.note(event);
  std::vector<std::uint64_t> result;
  for (const HeldLock& lock : locks) result.push_back(lock.object & 0xffff);
  return result;
}

using Locks = std::vector<std::uint64_t>;

TEST(HeldLocks, CountALockFromItsEndOrFromTheNextEvent) {
  EXPECT_EQ(held({lock(1, 64)}), Locks{});
  EXPECT_EQ(held({lock(1, 64), after(lock(1, 64))}), Locks{64});
  EXPECT_EQ(held({lock(1, 64), read(1, 8)}), Locks{64});
  EXPECT_EQ(held({lock(1, 64), lock(1, 72), read(1, 8)}), (Locks{64, 72}));
  EXPECT_EQ(held({lock(1, 64), after(lock(1, 64), 35)}), Locks{}) << "it failed";
}

TEST(HeldLocks, CountATryOnlyWhenItSaysItSucceeded) {
  const Event attempt = event(1, EventKind::mutex_trylock, 64);
  EXPECT_EQ(held({attempt, read(1, 8)}), Locks{});
  EXPECT_EQ(held({attempt, after(attempt, 16)}), Locks{});
  EXPECT_EQ(held({attempt, after(attempt)}), Locks{64});
}

TEST(HeldLocks, LetARecursiveLockGoLevelByLevel) {
  EXPECT_EQ(held({lock(1, 64), lock(1, 64), unlock(1, 64), read(1, 8)}), Locks{64});
  EXPECT_EQ(held({lock(1, 64), lock(1, 64), unlock(1, 64), unlock(1, 64)}), Locks{});
}

TEST(HeldLocks, GiveTheMutexUpDuringAConditionWait) {
  Event wait = event(1, EventKind::cond_timedwait, 128);
  wait.argument = lock(1, 64).object.value;
  EXPECT_EQ(held({lock(1, 64), wait}), Locks{});
  EXPECT_EQ(held({lock(1, 64), wait, after(wait, 110)}), Locks{64}) << "timed out, but has it back";
  EXPECT_EQ(held({lock(1, 64), wait, read(1, 8)}), Locks{64});
}

TEST(HeldLocks, IgnoreAnUnlockOfWhatIsNotHeldAndWhatDoesNotFit) {
  EXPECT_EQ(held({unlock(1, 64)}), Locks{});
  std::vector<Event> many;
  for (std::uint64_t i = 1; i <= 20; ++i) many.push_back(lock(1, 8 * i));
  EXPECT_EQ(held(many).size(), HeldLocks::kMost);
}

}  // namespace
}  // namespace heddle
