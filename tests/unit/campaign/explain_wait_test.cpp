#include "campaign/explain_wait.h"

#include <gtest/gtest.h>

#include <vector>

namespace heddle::campaign {
namespace {

constexpr ObjectId kLock = make_global(0, 0x10);
constexpr ObjectId kCondition = make_global(0, 0x20);
constexpr ObjectId kSlots = make_global(0, 0x30);
constexpr ObjectId kHead = make_global(0, 0x40);
constexpr ObjectId kTail = make_global(0, 0x48);

Event event(std::uint16_t thread, EventKind kind, ObjectId object) {
  Event event{};
  event.thread = ThreadId{thread};
  event.kind = kind;
  event.object = object;
  return event;
}
Event access(std::uint16_t thread, EventKind kind, ObjectId object, std::uint64_t value,
             std::uint64_t place) {
  Event done = event(thread, kind, object);
  done.size = 8;
  done.value = value;
  done.site = SiteId{place};
  return done;
}
Event read(std::uint16_t thread, ObjectId object, std::uint64_t value, std::uint64_t place) {
  return access(thread, EventKind::read, object, value, place);
}
Event write(std::uint16_t thread, ObjectId object, std::uint64_t value) {
  return access(thread, EventKind::write, object, value, 90);
}
const Event kLocks = event(1, EventKind::mutex_lock, kLock);
Event waits() {
  Event done = event(1, EventKind::cond_wait, kCondition);
  done.argument = kLock.value;
  return done;
}

std::optional<UncheckedWait> found(const std::vector<Event>& events) {
  return find_unchecked_wait(events, ThreadId{1}, [&](std::size_t one, std::size_t other) {
    return events[one].site == events[other].site;
  });
}

TEST(UncheckedWait, WhatItWaitedForWasTakenByAnother) {
  const auto wait = found({kLocks, read(1, kSlots, 0, 10), waits(), write(2, kSlots, 1),
                           write(3, kSlots, 0), kLocks, read(1, kSlots, 0, 12)});
  ASSERT_TRUE(wait);
  EXPECT_EQ(wait->looks, std::vector<std::size_t>{1});
  EXPECT_EQ(wait->waits, 2u);
  EXPECT_EQ(wait->goes_on, 6u);
}

TEST(UncheckedWait, NotWhereItIsThere) {
  EXPECT_FALSE(found({kLocks, read(1, kSlots, 0, 10), waits(), write(2, kSlots, 1), kLocks,
                      read(1, kSlots, 1, 12)}));
}

TEST(UncheckedWait, NotWhereItLooksAgain) {
  EXPECT_FALSE(found({kLocks, read(1, kSlots, 0, 10), waits(), write(2, kSlots, 1),
                      write(3, kSlots, 0), kLocks, read(1, kSlots, 0, 10)}));
}

TEST(UncheckedWait, NotWhereItStillWaits) {
  EXPECT_FALSE(
      found({kLocks, read(1, kSlots, 0, 10), waits(), write(2, kSlots, 1), write(3, kSlots, 0)}));
}

TEST(UncheckedWait, NotWhereNothingOfOthersWasLookedAt) {
  EXPECT_FALSE(found({kLocks, read(1, kSlots, 0, 10), waits(), kLocks, read(1, kSlots, 0, 12)}));
}

TEST(UncheckedWait, AQueueIsAsEmptyAsBeforeWhereItsEndsHaveMovedTogether) {
  const std::vector<Event> before = {kLocks, read(1, kHead, 8, 10), read(1, kTail, 8, 10), waits(),
                                     write(2, kTail, 16)};
  std::vector<Event> taken = before;
  taken.push_back(write(3, kHead, 16));
  std::vector<Event> there = before;
  there.push_back(read(3, kHead, 8, 90));
  for (std::vector<Event>* const events : {&taken, &there}) {
    events->push_back(kLocks);
    events->push_back(read(1, kHead, events->at(5).value, 12));
  }
  EXPECT_TRUE(found(taken));
  EXPECT_FALSE(found(there));
}

TEST(UncheckedWait, AValueOfWhichOnlyAPartIsKnownSaysNothing) {
  Event part = write(3, kSlots, 0);
  part.size = 4;
  EXPECT_FALSE(found({kLocks, read(1, kSlots, 0, 10), waits(), write(2, kSlots, 1), part, kLocks,
                      read(1, kSlots, 0, 12)}));
}

}  // namespace
}  // namespace heddle::campaign
