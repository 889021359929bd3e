#include "campaign/lock_graph.h"

#include <gtest/gtest.h>

namespace heddle::campaign {
namespace {

constexpr std::uint64_t kA = 0x100, kB = 0x200, kC = 0x300, kG = 0x400;

// A run with three threads beside main, which creates them all at first unless told otherwise.
class OneRun {
 public:
  explicit OneRun(std::uint64_t number) {
    record.input.plan.run = number;
    record.threads.resize(4);
    for (std::size_t i = 0; i < record.threads.size(); ++i) record.threads[i].path_hash = 10 + i;
  }
  OneRun& create_all() {
    for (std::uint16_t child = 1; child < 4; ++child) creation(EventKind::thread_create, 0, child);
    return *this;
  }
  OneRun& creation(EventKind kind, std::uint16_t thread, std::uint16_t other) {
    record.creations.push_back({ThreadId{thread}, ThreadId{other}, kind, {}});
    return *this;
  }
  LockEdge& edge(std::uint16_t thread, std::uint64_t from, std::uint64_t to) {
    LockEdge edge{};
    edge.from = make_global(0, from);
    edge.to = make_global(0, to);
    edge.thread = ThreadId{thread};
    edge.kind = EventKind::mutex_lock;
    edge.site = make_site(0, from * 0x1000 + to);
    edge.creations = static_cast<std::uint32_t>(record.creations.size());
    record.lock_edges.push_back(edge);
    return record.lock_edges.back();
  }
  RunRecord record;
};

void gate(LockEdge& edge, std::uint64_t lock, bool shared) {
  if (shared) edge.shared_gates = static_cast<std::uint16_t>(1u << edge.gate_count);
  edge.gates[edge.gate_count++] = make_global(0, lock);
}

class LockGraphTest : public testing::Test {
 protected:
  OneRun first = OneRun(1).create_all();
  OneRun second = OneRun(2).create_all();
  std::size_t circles() {
    EXPECT_TRUE(graph.merge(first.record).empty());
    return graph.merge(second.record).size();
  }
  LockGraph graph;
};

TEST_F(LockGraphTest, PutsTheOrdersOfTwoRunsTogether) {
  first.edge(1, kA, kB);
  second.edge(2, kB, kA);
  EXPECT_TRUE(graph.merge(first.record).empty());
  const std::vector<LockGraph::Circle> found = graph.merge(second.record);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].runs, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(found[0].finding.kind, FindingKind::lock_order);
  EXPECT_EQ(found[0].finding.detail, 2u);
}

TEST_F(LockGraphTest, SaysItOnce) {
  first.edge(1, kA, kB);
  second.edge(2, kB, kA);
  EXPECT_EQ(circles(), 1u);
  EXPECT_TRUE(graph.merge(first.record).empty());
  EXPECT_TRUE(graph.merge(second.record).empty());
}

// goodlock has decided about what one run shows.
TEST_F(LockGraphTest, LeavesACircleInOneRunAlone) {
  second.edge(1, kA, kB);
  second.edge(2, kB, kA);
  EXPECT_EQ(circles(), 0u);
}

TEST_F(LockGraphTest, FindsACircleOfThree) {
  first.edge(1, kA, kB);
  first.edge(2, kB, kC);
  second.edge(3, kC, kA);
  EXPECT_EQ(circles(), 1u);
}

TEST_F(LockGraphTest, OneThreadAloneDoesNotDeadlockWithItself) {
  first.edge(1, kA, kB);
  second.edge(1, kB, kA);
  EXPECT_EQ(circles(), 0u);
}

TEST_F(LockGraphTest, AGateLetsOnlyOneIn) {
  gate(first.edge(1, kA, kB), kG, false);
  gate(second.edge(2, kB, kA), kG, true);
  EXPECT_EQ(circles(), 0u);
}

TEST_F(LockGraphTest, AGateThatBothReadLetsBothIn) {
  gate(first.edge(1, kA, kB), kG, true);
  gate(second.edge(2, kB, kA), kG, true);
  EXPECT_EQ(circles(), 1u);
}

TEST_F(LockGraphTest, ReadersDoNotWaitForEachOther) {
  first.edge(1, kA, kB).flags = kEdgeHeldShared | kEdgeWantsShared;
  second.edge(2, kB, kA).flags = kEdgeHeldShared | kEdgeWantsShared;
  EXPECT_EQ(circles(), 0u);
}

// The condition C is waited for with A held in one run, and signalled with A held in the other.
class LockGraphCondition : public LockGraphTest {
 protected:
  void SetUp() override {
    first.edge(1, kA, kC).kind = EventKind::cond_wait;
    gate(signal(second, 2, kA), kA, false);
  }
  LockEdge& signal(OneRun& run, std::uint16_t thread, std::uint64_t under) {
    LockEdge& edge = run.edge(thread, kC, under);
    edge.kind = EventKind::cond_signal;
    return edge;
  }
};

TEST_F(LockGraphCondition, ClosesACircle) { EXPECT_EQ(circles(), 1u); }

TEST_F(LockGraphCondition, DoesNotWhereASignalCameWithoutTheLock) {
  signal(first, 3, kC);
  EXPECT_EQ(circles(), 0u);
}

TEST_F(LockGraphCondition, DoesWhereThatWasTheWaitersOwn) {
  signal(first, 1, kC);
  EXPECT_EQ(circles(), 1u);
}

TEST_F(LockGraphCondition, DoesNotWhereASignalCameUnderAnotherLock) {
  gate(signal(second, 3, kG), kG, false);
  EXPECT_EQ(circles(), 0u);
}

// In the second run thread 1 is joined before thread 2 begins: what it did in the first run came before, too.
TEST_F(LockGraphTest, JoiningBeforeCreatingIsAnOrder) {
  first = OneRun(1);
  first.creation(EventKind::thread_create, 0, 1);
  first.edge(1, kA, kB);
  second = OneRun(2);
  second.creation(EventKind::thread_create, 0, 1);
  second.creation(EventKind::thread_exit, 1, 1);
  second.creation(EventKind::thread_join, 0, 1);
  second.creation(EventKind::thread_create, 0, 2);
  second.edge(2, kB, kA);
  EXPECT_EQ(circles(), 0u);
}

TEST_F(LockGraphTest, AnotherLockInTheSameMemoryIsAnotherLock) {
  first.edge(1, kA, kB);
  second.edge(2, kB, kA).from_life = 1;
  EXPECT_EQ(circles(), 0u);
}

// An address is nothing that survives a run.
TEST_F(LockGraphTest, MappedMemoryIsNotKnownAgain) {
  first.edge(1, kA, kB).to = make_object(ObjectKind::other, kB);
  second.edge(2, kB, kA).from = make_object(ObjectKind::other, kB);
  EXPECT_EQ(circles(), 0u);
}

// Threads are numbered as they come, their paths stay.
TEST_F(LockGraphTest, AThreadsStackIsKnownByTheThreadsPath) {
  first.edge(1, kA, kB).to = make_stack(ThreadId{3}, 64);
  std::swap(second.record.threads[2].path_hash, second.record.threads[3].path_hash);
  second.edge(3, kB, kA).from = make_stack(ThreadId{2}, 64);
  EXPECT_EQ(circles(), 1u);
}

TEST_F(LockGraphTest, IsTheSameAfterItWasStored) {
  first.edge(1, kA, kB);
  second.edge(2, kB, kA);
  EXPECT_TRUE(graph.merge(first.record).empty());
  LockGraph other;
  for (const LockGraph::Row& row : graph.take_new()) other.load(row, false);
  EXPECT_TRUE(graph.take_new().empty());
  EXPECT_TRUE(other.take_new().empty());
  const std::vector<LockGraph::Circle> found = other.merge(second.record);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].runs, (std::vector<std::uint64_t>{0, 2}));
}

}  // namespace
}  // namespace heddle::campaign
