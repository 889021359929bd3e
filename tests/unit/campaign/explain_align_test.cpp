#include "campaign/explain_align.h"

#include <gtest/gtest.h>

#include "campaign/explain_class.h"

namespace heddle::campaign {
namespace {

constexpr ObjectId kCounter = make_global(0, 0x10);
constexpr ObjectId kOther = make_global(0, 0x20);
constexpr ObjectId kLock = make_global(0, 0x30);

Event event(std::uint16_t thread, EventKind kind, ObjectId object, std::uint64_t site) {
  Event event{};
  event.thread = ThreadId{thread};
  event.kind = kind;
  event.object = object;
  event.site = make_site(0, site);
  return event;
}

// x++ of two threads, one after the other, and with the second between the halves of the first.
const Event kRead1 = event(1, EventKind::read, kCounter, 1);
const Event kWrite1 = event(1, EventKind::write, kCounter, 2);
const Event kRead2 = event(2, EventKind::read, kCounter, 1);
const Event kWrite2 = event(2, EventKind::write, kCounter, 2);
const std::vector<Event> kOneAfterTheOther = {kRead1, kWrite1, kRead2, kWrite2};
const std::vector<Event> kLostUpdate = {kRead1, kRead2, kWrite2, kWrite1};

RunOutcome outcome_with(std::uint64_t preemptions) {
  RunOutcome outcome{};
  outcome.preemptions = preemptions;
  return outcome;
}

TEST(FindFlipped, FindsTheWriteThatCameBetween) {
  const std::optional<FlippedPair> pair = find_flipped(kLostUpdate, kOneAfterTheOther);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 2u);
  EXPECT_EQ(pair->second, 3u);
  EXPECT_EQ(pair->before, 0u);
}

TEST(FindFlipped, FindsNothingInEqualTraces) {
  EXPECT_FALSE(find_flipped(kLostUpdate, kLostUpdate));
}

TEST(FindFlipped, LeavesOutReadsThatCommute) {
  const std::vector<Event> one = {kRead1, kRead2};
  const std::vector<Event> other = {kRead2, kRead1};
  EXPECT_FALSE(find_flipped(one, other));
}

TEST(FindFlipped, PrefersMemoryToLocks) {
  const Event lock1 = event(1, EventKind::mutex_lock, kLock, 3);
  const Event lock2 = event(2, EventKind::mutex_lock, kLock, 3);
  const std::vector<Event> failing = {lock2, kWrite2, lock1, kRead1};
  const std::vector<Event> passing = {lock1, kRead1, lock2, kWrite2};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 1u);
  EXPECT_EQ(pair->second, 3u);
}

TEST(HeldLocks, EndsWithTheUnlock) {
  const std::vector<Event> events = {event(1, EventKind::mutex_lock, kLock, 1), kWrite1,
                                     event(1, EventKind::mutex_unlock, kLock, 2), kRead1};
  const auto held = held_locks(events);
  EXPECT_EQ(held[1].size(), 1u);
  EXPECT_TRUE(held[3].empty());
}

TEST(Classify, CallsALostUpdateWithoutALockADataRace) {
  const RunOutcome outcome = outcome_with(1);
  ClassEvidence evidence{FailureKind::exit, &outcome, kLostUpdate, kOneAfterTheOther, {}, {}};
  evidence.pair = find_flipped(kLostUpdate, kOneAfterTheOther);
  // Both threads must have ended, or the program outlived them.
  std::vector<Event> ended = kLostUpdate;
  ended.push_back(event(1, EventKind::thread_exit, kOther, 9));
  ended.push_back(event(2, EventKind::thread_exit, kOther, 9));
  evidence.failing = ended;
  EXPECT_EQ(classify(evidence), BugClass::data_race);
}

TEST(Classify, CallsAWrongOrderWithoutAPreemptionAnOrderViolation) {
  const RunOutcome outcome = outcome_with(0);
  std::vector<Event> failing = {kRead2, kWrite1, event(1, EventKind::thread_exit, kOther, 9),
                                event(2, EventKind::thread_exit, kOther, 9)};
  const std::vector<Event> passing = {kWrite1, kRead2};
  ClassEvidence evidence{FailureKind::exit, &outcome, failing, passing, {}, {}};
  evidence.pair = find_flipped(failing, passing);
  EXPECT_EQ(classify(evidence), BugClass::order_violation);
}

TEST(Classify, SeesASleepUsedAsSynchronisationByItsStall) {
  const RunOutcome outcome = outcome_with(0);
  Decision stall{};
  stall.kind = DecisionKind::timeout;
  const std::vector<Decision> decisions = {stall};
  ClassEvidence evidence{FailureKind::exit, &outcome, kLostUpdate, {}, decisions, {}};
  EXPECT_EQ(classify(evidence), BugClass::sleep_as_synchronisation);
}

TEST(Classify, CallsWaitingForASignalThatWasLostALostWakeUp) {
  RunOutcome outcome = outcome_with(1);
  outcome.blocked_count = 1;
  outcome.blocked[0].waiting_in = EventKind::cond_wait;
  outcome.blocked[0].lost_wakeup = 1;
  const ClassEvidence evidence{FailureKind::deadlock, &outcome, kLostUpdate, {}, {}, {}};
  EXPECT_EQ(classify(evidence), BugClass::lost_wakeup);
}

}  // namespace
}  // namespace heddle::campaign
