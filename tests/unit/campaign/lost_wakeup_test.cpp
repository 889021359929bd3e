#include "campaign/lost_wakeup.h"

#include <gtest/gtest.h>

#include "campaign/wait_circle.h"
#include "trace_event.h"

namespace heddle::campaign {
namespace {

constexpr ObjectId kReady = make_global(0, 0x10);
constexpr ObjectId kQueue = make_global(0, 0x20);
constexpr ObjectId kMutex = make_global(0, 0x30);
constexpr ObjectId kCondition = make_global(0, 0x40);
constexpr ObjectId kOtherCondition = make_global(0, 0x50);

Event event(std::uint16_t thread, EventKind kind, ObjectId object, std::uint64_t value = 0) {
  Event event = test::trace_event(thread, kind, object);
  event.value = value;
  if (kind == EventKind::cond_wait) event.argument = kMutex.value;
  return event;
}

BlockedThread blocked(std::uint16_t thread, EventKind kind, ObjectId object) {
  BlockedThread blocked{};
  blocked.thread = ThreadId{thread};
  blocked.holder = kNoThread;
  blocked.waiting_in = kind;
  blocked.object = object;
  return blocked;
}

const BlockedThread kWaiter = blocked(1, EventKind::cond_wait, kCondition);
const Event kLock = event(1, EventKind::mutex_lock, kMutex);
const Event kUnlock = event(1, EventKind::mutex_unlock, kMutex);
const Event kWait = event(1, EventKind::cond_wait, kCondition);
const Event kSignal = event(2, EventKind::cond_signal, kCondition);
const Event kSet = event(2, EventKind::write, kReady, 1);

Event sees(std::uint64_t value) { return event(1, EventKind::read, kReady, value); }

TEST(LostWakeup, IsOneThatFellBetweenTheLookAndTheWait) {
  const std::vector<Event> before = {kLock, sees(0), kSet, kSignal, kWait};
  const std::vector<Event> after = {kLock, sees(1), kUnlock};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::too_early);
}

TEST(LostWakeup, IsOneThatCameWithoutALook) {
  const std::vector<Event> before = {kSignal, kLock, kWait};
  const std::vector<Event> after = {kLock, kUnlock};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::too_early);
}

TEST(LostWakeup, IsNotTheOneAfterWhichTheWaiterLookedAgain) {
  // It was woken, took what there was and waits again; what it then waits for comes without a signal.
  const std::vector<Event> before = {kSet,  kSignal, kLock, sees(1), kUnlock,
                                     kLock, sees(0), kWait, kSet};
  const std::vector<Event> after = {kLock, sees(1), kUnlock};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::never_sent);
}

TEST(LostWakeup, IsOneThatWentToAnother) {
  const std::vector<Event> before = {kLock, sees(0), kWait, kSet, kSignal};
  const std::vector<Event> after = {kLock, sees(1), kUnlock};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::to_another);
}

TEST(LostWakeup, MayNeverHaveBeenSent) {
  const std::vector<Event> before = {kLock, sees(0), kWait, kSet};
  const std::vector<Event> after = {kLock, sees(1), kUnlock};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::never_sent);
}

TEST(LostWakeup, IsNoneIfTheThreadWouldWaitAgain) {
  // An earlier signal was for something that it has taken since.
  const std::vector<Event> before = {kSet, kSignal, kLock, sees(0), kWait};
  const std::vector<Event> after = {kLock, sees(0), kWait};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::no);
}

TEST(LostWakeup, IsNoneIfNobodyWokeAndNothingChanged) {
  // It waits without looking; that nobody signals has another reason.
  const std::vector<Event> before = {kLock, kWait};
  const std::vector<Event> after = {kLock, kUnlock};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::no);
}

TEST(LostWakeup, IsNoneIfSomebodyKeepsTheMutex) {
  const std::vector<Event> before = {kLock, sees(0), kSet, kSignal, kWait};
  EXPECT_EQ(what_was_lost(kWaiter, before, {}), LostWakeup::no);
}

TEST(LostWakeup, IsOneIfTheThreadTakesWhatThereIsBeforeItWaitsAgain) {
  const Event take = event(1, EventKind::write, kQueue, 0);
  const Event put = event(2, EventKind::write, kQueue, 1);
  const std::vector<Event> before = {kLock, sees(0), put, kSignal, kWait};
  const std::vector<Event> after = {kLock, sees(1), take, kUnlock, kLock, kWait};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::too_early);
}

TEST(LostWakeup, DoesNotTakeCountingOfWaitersForProgress) {
  const Event count = event(1, EventKind::atomic_rmw, kQueue);
  const Event counted = event(2, EventKind::atomic_rmw, kQueue);
  const std::vector<Event> before = {counted, kLock, sees(0), kSignal, kWait};
  const std::vector<Event> after = {kLock, count, sees(0), count, kWait};
  EXPECT_EQ(what_was_lost(kWaiter, before, after), LostWakeup::no);
}

TEST(WaitCircle, HasThreadsThatMadeEachOthersConditions) {
  const Event take1 = event(1, EventKind::write, kReady, 1);
  const Event take2 = event(2, EventKind::write, kQueue, 1);
  const Event look1 = event(1, EventKind::read, kQueue, 1);
  const Event look2 = event(2, EventKind::read, kReady, 1);
  const std::vector<Event> events = {take1, take2, look1, look2};
  const std::vector<BlockedThread> both = {blocked(1, EventKind::cond_wait, kCondition),
                                           blocked(2, EventKind::cond_wait, kOtherCondition)};
  EXPECT_TRUE(wait_in_circle(both, events, {}));
  const std::vector<Event> one_way = {take2, look1};
  EXPECT_FALSE(wait_in_circle(both, one_way, {}));
}

TEST(WaitCircle, LeavesOutWhatWasSoWhenTheThreadWasMade) {
  const Event make = event(2, EventKind::write, kReady, 0);
  const Event create =
      event(2, EventKind::thread_create, kMutex, 1);  // the maker of the thread made it ready
  const Event take1 = event(1, EventKind::write, kQueue, 1);
  const Event look1 = event(1, EventKind::read, kReady, 0);
  const Event look2 = event(2, EventKind::read, kQueue, 1);
  const std::vector<BlockedThread> both = {blocked(1, EventKind::cond_wait, kCondition),
                                           blocked(2, EventKind::cond_wait, kOtherCondition)};
  EXPECT_FALSE(wait_in_circle(both, std::vector<Event>{make, create, take1, look1, look2}, {}));
}

TEST(WaitCircle, HasSemaphoresThatAreGivenBack) {
  const auto take = [](std::uint16_t thread, ObjectId semaphore) {
    return event(thread, EventKind::sem_wait, semaphore);
  };
  const std::vector<BlockedThread> both = {blocked(1, EventKind::sem_wait, kCondition),
                                           blocked(2, EventKind::sem_wait, kOtherCondition)};
  const std::vector<Event> failing = {take(1, kOtherCondition), take(2, kCondition)};
  const std::vector<Event> passing = {event(1, EventKind::sem_post, kOtherCondition),
                                      event(2, EventKind::sem_post, kCondition)};
  EXPECT_TRUE(wait_in_circle(both, failing, passing));
  EXPECT_FALSE(wait_in_circle(both, failing, {})) << "consumers never give back";
}

}  // namespace
}  // namespace heddle::campaign
