#include "schedule/replay.h"

#include <gtest/gtest.h>

#include "model_campaign.h"
#include "points.h"

namespace heddle {
namespace {

Decision decision(std::uint16_t from, std::uint64_t from_step, std::uint16_t to,
                  DecisionKind kind = DecisionKind::run) {
  Decision result{};
  result.from = ThreadId{from};
  result.from_step = from_step;
  result.to = ThreadId{to};
  result.kind = kind;
  return result;
}

struct Replaying {
  explicit Replaying(std::vector<Decision> list, Strategy* then = nullptr)
      : decisions(std::move(list)) {
    replay.continue_with(then);
    StrategyContext context{};
    context.replay = decisions;
    replay.begin_run(context, prng);
  }
  std::size_t pick(const std::vector<PendingOperation>& candidates, std::uint16_t current,
                   PointSpec spec) {
    return replay.pick(point_at(candidates, current, spec), prng);
  }
  std::vector<Decision> decisions;
  Replay replay;
  Prng prng{1};
};

const std::vector<PendingOperation> kThree = {pending(0), pending(1), pending(2)};

TEST(ReplayStrategy, GoesOnUntilTheNextDecisionOfItsThread) {
  Replaying run({decision(1, 2, 0), decision(0, 3, 2)});
  EXPECT_EQ(run.replay.goes_on_for(point_at({}, 0, {.points = 1})), 2u);
  EXPECT_EQ(run.replay.goes_on_for(point_at({}, 0, {.points = 2})), 1u);
  EXPECT_EQ(run.replay.goes_on_for(point_at({}, 0, {.points = 3})), 0u);
  EXPECT_EQ(run.pick(kThree, 0, {.points = 3}), 2u) << "asking does not use it up";
  EXPECT_GT(run.replay.goes_on_for(point_at({}, 0, {.points = 4})), 1000u) << "for good";
  EXPECT_EQ(run.replay.goes_on_for(point_at({}, 1, {.points = 5})), 0u)
      << "one that was missed is told";
  run.pick(kThree, 1, {.points = 5});
  EXPECT_NE(run.replay.first_missed(), nullptr);
}

TEST(ReplayStrategy, RepeatsRunsOfEveryStrategyExactly) {
  for (const StrategyRow& row : strategy_catalog()) {
    if (row.instance == nullptr || row.name == "replay") continue;
    for (const model::Program& program :
         {model::twostage(5, {}), model::bluetooth(), model::deadlock01()}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        model::World world;
        const model::World::Result recorded =
            world.run(program.main, row.instance(), {model::settings(row.name), {}, {}, {}}, seed);
        model::World again;
        Replay replay;
        const model::World::Result replayed = again.run(
            program.main, replay, {model::settings("replay"), {}, recorded.decisions, {}}, 99);
        EXPECT_EQ(recorded.schedule_hash, replayed.schedule_hash) << row.name << " seed " << seed;
        EXPECT_EQ(recorded.failed, replayed.failed);
        EXPECT_EQ(replay.first_missed(), nullptr);
        EXPECT_EQ(replay.followed(), recorded.decisions.size());
      }
    }
  }
}

TEST(ReplayStrategy, RecognisesADecisionByTheThreadsOwnCount) {
  Replaying run{{decision(1, 4, 2)}};
  EXPECT_EQ(run.pick(kThree, 1, {.step = 70, .points = 3}), 1u);
  EXPECT_EQ(run.pick(kThree, 0, {.step = 71, .points = 4}), 0u);
  EXPECT_EQ(run.pick(kThree, 1, {.step = 72, .points = 4}), 2u);
  EXPECT_EQ(run.replay.first_missed(), nullptr);
}

TEST(ReplayStrategy, ReportsTheFirstStepItCannotFollow) {
  Replaying run{{decision(0, 2, 1), decision(0, 5, 7), decision(0, 6, 8)}};
  EXPECT_EQ(run.pick(kThree, 0, {.points = 2}), 1u);
  EXPECT_EQ(run.pick(kThree, 0, {.points = 5}), 0u) << "thread 7 is not there: the default";
  ASSERT_EQ(run.replay.first_missed(), &run.decisions[1]);
  EXPECT_EQ(run.replay.got_instead(), ThreadId{0});
  run.pick(kThree, 0, {.points = 6});
  EXPECT_EQ(run.replay.first_missed(), &run.decisions[1]);
}

TEST(ReplayStrategy, NoticesADecisionWhosePointWentBy) {
  Replaying run{{decision(0, 2, 1), decision(0, 4, 2)}};
  EXPECT_EQ(run.pick(kThree, 0, {.points = 4}), 2u) << "later ones are still followed";
  EXPECT_EQ(run.replay.first_missed(), &run.decisions[0]);
}

TEST(ReplayStrategy, KeepsToTheDefaultAfterTheLastDecision) {
  Replaying run{{decision(0, 1, 2)}};
  EXPECT_EQ(run.pick(kThree, 0, {.points = 1}), 2u);
  EXPECT_TRUE(run.replay.finished());
  for (std::uint64_t points = 1; points < 20; ++points) {
    EXPECT_EQ(run.pick(kThree, 2, {.points = points}), 2u);
  }
}

// Always the last candidate; counts what it is shown.
class Last final : public Strategy {
 public:
  void begin_run(const StrategyContext&, Prng&) override {}
  std::size_t pick(const SchedulePoint& point, Prng&) override {
    ++asked;
    return point.candidates.size() - 1;
  }
  int asked = 0;
};

TEST(ReplayStrategy, APrefixIsContinuedByTheGivenStrategy) {
  Last last;
  Replaying run{{decision(0, 2, 1)}, &last};
  EXPECT_EQ(run.pick(kThree, 0, {.points = 1}), 0u) << "before the last decision: the default";
  EXPECT_EQ(run.pick(kThree, 0, {.points = 2}), 1u);
  EXPECT_EQ(run.pick(kThree, 1, {.points = 1}), 2u);
  EXPECT_EQ(last.asked, 3) << "it has seen the prefix too";
}

TEST(ReplayStrategy, AfterDriftTheGivenStrategyTakesOver) {
  Last last;
  Replaying run{{decision(0, 2, 9), decision(0, 3, 1)}, &last};
  EXPECT_EQ(run.pick(kThree, 0, {.points = 2}), 0u);
  EXPECT_EQ(run.pick(kThree, 0, {.points = 3}), 2u);
}

TEST(ReplayStrategy, WakeUpsAreTakenByKindThreadAndCount) {
  Replaying run{{decision(0, 2, 1, DecisionKind::wake), decision(1, 2, 2, DecisionKind::wake),
                 decision(0, 3, 2, DecisionKind::spurious)}};
  EXPECT_EQ(run.replay.take(DecisionKind::wake, ThreadId{0}, 1), nullptr);
  EXPECT_EQ(run.replay.take(DecisionKind::wake, ThreadId{1}, 2), &run.decisions[1]);
  EXPECT_EQ(run.replay.take(DecisionKind::wake, ThreadId{0}, 2), &run.decisions[0]);
  EXPECT_EQ(run.replay.take(DecisionKind::wake, ThreadId{0}, 2), nullptr) << "used up";
  EXPECT_EQ(run.replay.take(DecisionKind::spurious, ThreadId{0}, 3), &run.decisions[2]);
  EXPECT_TRUE(run.replay.finished());
}

}  // namespace
}  // namespace heddle
