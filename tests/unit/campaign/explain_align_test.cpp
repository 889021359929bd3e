#include "campaign/explain_align.h"

#include <gtest/gtest.h>

#include "campaign/explain_class.h"
#include "campaign/explain_pair.h"
#include "campaign/trace_locks.h"
#include "trace_event.h"

namespace heddle::campaign {
namespace {

constexpr ObjectId kCounter = make_global(0, 0x10);
constexpr ObjectId kOther = make_global(0, 0x20);
constexpr ObjectId kLock = make_global(0, 0x30);

Event event(std::uint16_t thread, EventKind kind, ObjectId object, std::uint64_t site) {
  Event event = test::trace_event(thread, kind, object);
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
  EXPECT_EQ(pair->interrupted, 0u);
}

TEST(FindFlipped, WaitsForNothingThatHasComeAlready) {
  // The write of the first thread was too early, not still to come: it is not matched because of what the thread looked at
  // before or after it.
  const auto with_value = [](Event event, std::uint64_t value) {
    event.value = value;
    return event;
  };
  const Event one_writes = with_value(event(1, EventKind::write, kCounter, 10), 1);
  const Event looks = event(1, EventKind::read, kOther, 11);
  const Event looks_again = event(1, EventKind::read, kOther, 12);
  const Event two_writes = with_value(event(2, EventKind::write, kCounter, 20), 0);
  const Event two_reads = event(2, EventKind::read, kCounter, 21);
  const std::vector<Event> failing = {one_writes, two_writes, looks, looks_again,
                                      with_value(two_reads, 0)};
  const std::vector<Event> passing = {two_writes, looks, looks_again, one_writes,
                                      with_value(two_reads, 1)};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  EXPECT_FALSE(pair && pair->second_passing);
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

TEST(FindFlipped, PutsTheFirstReadOfAnotherValueBeforeAllElse) {
  // Three threads ask who is first; the third asks when it is over, and reads what it always reads.
  const auto reads = [](std::uint16_t thread, std::uint64_t value) {
    Event read = event(thread, EventKind::read, kCounter, 1);
    read.value = value;
    return read;
  };
  const Event third_write = event(3, EventKind::write, kOther, 3);
  const std::vector<Event> failing = {reads(1, 1), reads(2, 1), kWrite2,
                                      reads(3, 0), third_write, kWrite1};
  const std::vector<Event> passing = {reads(1, 1), kWrite1, reads(2, 0), reads(3, 0), third_write};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 1u);
  EXPECT_EQ(pair->second, 5u);
  EXPECT_FALSE(pair->second_passing);
  EXPECT_EQ(pair->interrupted, 0u);
}

TEST(FindFlipped, KnowsAWriteThatNeverCame) {
  // set: a = 1; b = -1. The check comes between, and ends the program.
  Event read_b = event(2, EventKind::read, kOther, 5);
  const Event write_a = event(1, EventKind::write, kCounter, 2);
  const Event write_b = event(1, EventKind::write, kOther, 3);
  const Event read_a = event(2, EventKind::read, kCounter, 4);
  const std::vector<Event> failing = {write_a, read_a, read_b};
  read_b.value = 7;
  const std::vector<Event> passing = {write_a, write_b, read_a, read_b};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 2u);
  EXPECT_TRUE(pair->second_passing);
  EXPECT_EQ(pair->second, 1u);
  EXPECT_EQ(pair->interrupted, 0u);
}

TEST(FindFlipped, KnowsAWriteThatCoversWhatIsRead) {
  Event clears = event(1, EventKind::write_range, make_global(0, 0x100), 9);
  clears.argument = 64;
  Event read = event(2, EventKind::read, make_global(0, 0x120), 4);
  read.size = 8;
  read.value = 7;
  const std::vector<Event> passing = {read, clears};
  read.value = 0;
  const std::vector<Event> failing = {clears, read};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_TRUE(pair->by_value);
  EXPECT_EQ(pair->first, 0u);
  EXPECT_EQ(pair->second, 1u);
}

TEST(FindFlipped, TakesWhatAReadModifyWriteFoundForWhatItRead) {
  // Both leave 0 behind; one found 1.
  Event exchange = event(1, EventKind::atomic_rmw, kCounter, 4);
  Event store = event(2, EventKind::atomic_store, kCounter, 5);
  store.value = 1;
  const std::vector<Event> failing = {exchange, store};
  exchange.argument = 1;
  const std::vector<Event> passing = {store, exchange};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_TRUE(pair->by_value);
}

TEST(FindFlipped, TakesTheReadWhoseWriterWentAnotherWayOnlyLater) {
  // Both look, then both act; where it passes the second one looks when the first has acted. What the first one then does
  // not write differs, but because of what the second has done in the meantime.
  Event look1 = event(1, EventKind::read, kCounter, 1);
  Event look2 = event(2, EventKind::read, kCounter, 1);
  Event again1 = event(1, EventKind::read, kCounter, 2);
  const Event act1 = event(1, EventKind::write, kCounter, 3);
  const Event act2 = event(2, EventKind::write, kCounter, 3);
  const Event other1 = event(1, EventKind::write, kOther, 4);
  const Event end1 = event(1, EventKind::thread_exit, make_global(0, 0x40), 5);
  again1.value = 8;
  const std::vector<Event> failing = {look1, look2, act2, again1, other1, end1};
  again1.value = 0;
  look2.value = 7;
  const std::vector<Event> passing = {look1, again1, act1, end1, look2};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 1u);
  EXPECT_TRUE(pair->second_passing);
  EXPECT_EQ(pair->second, 2u);
  EXPECT_EQ(pair->interrupted, 0u);
}

TEST(FindFlipped, DoesNotTakeAReadWhoseWriterWentAnotherWayForAnotherReason) {
  // The main thread polls; that the worker never answers is because the third thread cancelled it.
  const Event poll0 = event(0, EventKind::read, kCounter, 1);
  Event look1 = event(1, EventKind::read, kOther, 2);
  Event answer1 = event(1, EventKind::write, kCounter, 3);
  answer1.value = 1;
  const Event end1 = event(1, EventKind::thread_exit, make_global(0, 0x40), 4);
  const Event cancel2 = event(2, EventKind::write, kOther, 5);
  Event sees0 = poll0;
  sees0.value = 1;
  look1.value = 1;
  const std::vector<Event> failing = {poll0, cancel2, look1, end1};
  look1.value = 0;
  const std::vector<Event> passing = {look1, answer1, end1, sees0, cancel2};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 1u);
  EXPECT_EQ(pair->second, 2u);
}

TEST(FindFlipped, DoesNotBlameAWriteThatIsThereBecauseItsThreadWentAnotherWay) {
  // The first thread acts because it looked too early; that the main thread sees it after joining is no cause.
  Event look1 = event(1, EventKind::read, kCounter, 1);
  const Event set2 = event(2, EventKind::write, kCounter, 2);
  const Event act1 = event(1, EventKind::write, kOther, 3);
  const Event end1 = event(1, EventKind::thread_exit, make_global(0, 0x40), 4);
  Event sees0 = event(0, EventKind::read, kOther, 5);
  sees0.value = 1;
  const std::vector<Event> failing = {look1, act1, end1, set2, sees0};
  look1.value = 1;
  sees0.value = 0;
  const std::vector<Event> unseen = {look1, end1, sees0};
  EXPECT_FALSE(find_flipped(failing, unseen));
  const std::vector<Event> passing = {set2, look1, end1, sees0};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 0u);
  EXPECT_EQ(pair->second, 3u);
}

Event counts(std::uint16_t thread, std::uint64_t to) {
  Event done = event(thread, EventKind::atomic_rmw, kCounter, 5);
  done.argument = to - 1;
  done.value = to;
  return done;
}
Event reads(std::uint16_t thread, std::uint64_t value) {
  Event done = event(thread, EventKind::atomic_load, kCounter, 6);
  done.value = value;
  return done;
}

TEST(FindFlipped, PutsAReadBeforeStepsOfACounterThatNobodyNotices) {
  const std::vector<Event> failing = {counts(1, 1), reads(0, 1), counts(2, 2)};
  const std::vector<Event> passing = {counts(2, 1), counts(1, 2), reads(0, 2)};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 1u);
  EXPECT_EQ(pair->second, 2u);
}

TEST(FindFlipped, TakesAStepOfACounterWhereItsThreadGoesAnotherWayThen) {
  const Event frees = event(1, EventKind::write, kOther, 7);
  const std::vector<Event> failing = {counts(1, 1), frees, counts(2, 2), reads(0, 2)};
  const std::vector<Event> passing = {counts(2, 1), counts(1, 2), reads(0, 2)};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 0u);
  EXPECT_EQ(pair->second, 2u);
}

TEST(FindFlipped, SeesWhoWasInterruptedNotByTheSameStepOfAnEarlierRound) {
  // Thread 1 looks and closes; thread 2 fills in rounds, the second between the two.
  const auto fills = [](std::uint64_t value) {
    Event done = event(2, EventKind::write, kCounter, 1);
    done.value = value;
    return done;
  };
  const auto looks = [](std::uint64_t value) {
    Event done = event(1, EventKind::read, kCounter, 2);
    done.value = value;
    return done;
  };
  const Event closes = event(1, EventKind::write, kOther, 3);
  const Event asks = event(2, EventKind::read, kOther, 4);
  const std::vector<Event> failing = {fills(1), looks(1), fills(2), asks, closes};
  const std::vector<Event> passing = {fills(1), fills(2), asks, looks(2), closes};
  const std::optional<FlippedPair> pair = find_flipped(failing, passing);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->first, 1u);
  EXPECT_EQ(pair->second, 2u);
  EXPECT_FALSE(pair->interrupted);
  EXPECT_EQ(pair->resumed, std::optional<std::size_t>{4});
}

TEST(Distance, CountsEventsThatMetAnotherWrite) {
  EXPECT_EQ(distance(kLostUpdate, kLostUpdate), 0u);
  EXPECT_EQ(distance(kLostUpdate, kOneAfterTheOther), 3u);
}

TEST(Align, PassesOverWhatOnlyOneOfThemDid) {
  const std::vector<Event> longer = {kRead1, event(1, EventKind::read, kOther, 7), kWrite1};
  const std::vector<Event> shorter = {kRead1, kWrite1};
  const Alignment alignment = align(longer, shorter);
  EXPECT_EQ(alignment.to_passing[0], 0u);
  EXPECT_EQ(alignment.to_passing[1], kAbsent);
  EXPECT_EQ(alignment.to_passing[2], 1u);
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
  ClassEvidence evidence{
      FailureKind::exit, &outcome, kLostUpdate, kOneAfterTheOther, {}, {}, false, false, {}};
  evidence.pair = find_flipped(kLostUpdate, kOneAfterTheOther);
  EXPECT_EQ(classify(evidence).bug, BugClass::data_race);
}

// The same with a lock that each thread holds from its first access to its last.
std::vector<Event> locked(EventKind takes, const std::vector<Event>& accesses) {
  std::vector<Event> events = {event(1, takes, kLock, 7), event(2, takes, kLock, 7)};
  events.insert(events.end(), accesses.begin(), accesses.end());
  return events;
}

TEST(Classify, CallsALostUpdateUnderALockThatBothHoldToReadADataRace) {
  const RunOutcome outcome = outcome_with(1);
  const auto bug_under = [&](EventKind takes) {
    const std::vector<Event> failing = locked(takes, kLostUpdate);
    const std::vector<Event> passing = locked(takes, kOneAfterTheOther);
    ClassEvidence evidence{FailureKind::exit, &outcome, failing, passing, {}, {}, false, false, {}};
    evidence.pair = find_flipped(failing, passing);
    return classify(evidence).bug;
  };
  EXPECT_EQ(bug_under(EventKind::rwlock_rdlock), BugClass::data_race);
  EXPECT_EQ(bug_under(EventKind::rwlock_wrlock), BugClass::atomicity);
}

TEST(Classify, CallsAWrongOrderWithoutAPreemptionAnOrderViolation) {
  const RunOutcome outcome = outcome_with(0);
  const std::vector<Event> failing = {event(2, EventKind::atomic_load, kCounter, 1),
                                      event(1, EventKind::atomic_store, kCounter, 2)};
  const std::vector<Event> passing = {failing[1], failing[0]};
  ClassEvidence evidence{FailureKind::exit, &outcome, failing, passing, {}, {}, false, false, {}};
  evidence.pair = find_flipped(failing, passing);
  EXPECT_EQ(classify(evidence).bug, BugClass::order_violation);
}

TEST(Classify, SeesASleepUsedAsSynchronisationByItsStall) {
  const RunOutcome outcome = outcome_with(0);
  Decision stall{};
  stall.kind = DecisionKind::timeout;
  const std::vector<Decision> decisions = {stall};
  ClassEvidence evidence{
      FailureKind::exit, &outcome, kLostUpdate, {}, decisions, {}, false, false, {}};
  EXPECT_EQ(classify(evidence).bug, BugClass::sleep_as_synchronisation);
}

TEST(Classify, CallsWaitingForASignalThatWasLostALostWakeUp) {
  RunOutcome outcome = outcome_with(1);
  outcome.blocked_count = 1;
  outcome.blocked[0].waiting_in = EventKind::cond_wait;
  outcome.blocked[0].lost_wakeup = LostWakeup::too_early;
  const ClassEvidence evidence{
      FailureKind::deadlock, &outcome, kLostUpdate, {}, {}, {}, false, false, {}};
  EXPECT_EQ(classify(evidence).bug, BugClass::lost_wakeup);
}

}  // namespace
}  // namespace heddle::campaign
