#include "campaign/explain_order.h"

#include <gtest/gtest.h>

#include <vector>

#include "trace_event.h"

namespace heddle::campaign {
namespace {

constexpr ObjectId kData = make_global(0, 0x10);
constexpr ObjectId kFlag = make_global(0, 0x20);
constexpr ObjectId kThread = make_global(0, 0x30);

Event event(std::uint16_t thread, EventKind kind, ObjectId object, std::uint64_t value = 0) {
  Event event = test::trace_event(thread, kind, object);
  event.value = value;
  return event;
}
Event atomic(std::uint16_t thread, EventKind kind, MemoryOrder order, ObjectId object = kFlag) {
  Event done = event(thread, kind, object);
  done.order = order;
  return done;
}

const Event kWrite = event(1, EventKind::write, kData);
const Event kRead = event(2, EventKind::read, kData);

// The write, what is between, the read.
bool ordered_by(std::vector<Event> between) {
  between.insert(between.begin(), kWrite);
  between.push_back(kRead);
  return ordered_without_locks(between, 0, between.size() - 1);
}

TEST(OrderedWithoutLocks, NothingOrdersTwoThreadsByItself) { EXPECT_FALSE(ordered_by({})); }

TEST(OrderedWithoutLocks, ALockDoesNotCount) {
  EXPECT_FALSE(ordered_by(
      {event(1, EventKind::mutex_unlock, kFlag), event(2, EventKind::mutex_lock, kFlag)}));
}

TEST(OrderedWithoutLocks, AThreadKnowsWhatItsCreatorDidBefore) {
  EXPECT_TRUE(ordered_by({event(1, EventKind::thread_create, kThread, 2)}));
}

TEST(OrderedWithoutLocks, WhoJoinsKnowsWhatTheThreadDid) {
  std::vector<Event> events = {event(2, EventKind::thread_create, kThread, 1), kWrite};
  events.push_back(event(2, EventKind::thread_join, kThread));
  events.push_back(kRead);
  EXPECT_TRUE(ordered_without_locks(events, 1, 3));
  events[2].thread = ThreadId{3};  // another one joins
  EXPECT_FALSE(ordered_without_locks(events, 1, 3));
}

TEST(OrderedWithoutLocks, ASemaphoreTellsWhoTakesIt) {
  Event take = event(2, EventKind::sem_trywait, kFlag);
  EXPECT_TRUE(ordered_by({event(1, EventKind::sem_post, kFlag), take}));
  EXPECT_FALSE(ordered_by({take, event(1, EventKind::sem_post, kFlag)}));
  take.result = EAGAIN;
  EXPECT_FALSE(ordered_by({event(1, EventKind::sem_post, kFlag), take}));
}

TEST(OrderedWithoutLocks, AtomicsTellWhatTheirOrderSays) {
  const Event release = atomic(1, EventKind::atomic_store, MemoryOrder::release);
  const Event relaxed = atomic(1, EventKind::atomic_store, MemoryOrder::relaxed);
  const Event acquire = atomic(2, EventKind::atomic_load, MemoryOrder::acquire);
  const Event peek = atomic(2, EventKind::atomic_load, MemoryOrder::relaxed);
  EXPECT_TRUE(ordered_by({release, acquire}));
  EXPECT_FALSE(ordered_by({relaxed, acquire}));
  EXPECT_FALSE(ordered_by({release, peek}));
  EXPECT_FALSE(ordered_by({release, relaxed, acquire}));
  // Fences make up for it.
  EXPECT_TRUE(ordered_by({atomic(1, EventKind::atomic_fence, MemoryOrder::release), relaxed, peek,
                          atomic(2, EventKind::atomic_fence, MemoryOrder::acquire)}));
}

TEST(OrderedWithoutLocks, KnowledgeGoesOnThroughAThirdThread) {
  EXPECT_TRUE(
      ordered_by({event(1, EventKind::sem_post, kFlag), event(3, EventKind::sem_wait, kFlag),
                  event(3, EventKind::sem_post, kThread), event(2, EventKind::sem_wait, kThread)}));
}

}  // namespace
}  // namespace heddle::campaign
