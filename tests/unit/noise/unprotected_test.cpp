#include <gtest/gtest.h>

#include "scripted.h"

namespace heddle {
namespace {

using namespace scripted;

TEST(Unprotected, LeavesUnsharedVariablesAlone) {
  EXPECT_EQ(Stage(everywhere("unprotected")).play({write(1, 8), read(1, 8), write(1, 8)}), "...");
}

TEST(Unprotected, LeavesVariablesAloneThatOneLockGuards) {
  Stage stage(everywhere("unprotected"));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(stage.play({lock(1, 64), read(1, 8), write(1, 8), unlock(1, 64)}), "!...");
    EXPECT_EQ(stage.play({lock(2, 64), read(2, 8), write(2, 8), unlock(2, 64)}), "!...");
  }
}

TEST(Unprotected, DisturbsAVariableOnceAnAccessHasNoCommonLock) {
  Stage stage(everywhere("unprotected"));
  stage.play({lock(1, 64), write(1, 8), unlock(1, 64), lock(2, 64), write(2, 8), unlock(2, 64)});
  EXPECT_TRUE(stage.disturbs(read(1, 8)));
  EXPECT_EQ(stage.play({lock(1, 64), write(1, 8), unlock(1, 64)}), "!!.") << "for good";
}

TEST(Unprotected, DisturbsAVariableGuardedByDifferentLocks) {
  Stage stage(everywhere("unprotected"));
  stage.play({lock(1, 64), write(1, 8), unlock(1, 64)});
  EXPECT_EQ(stage.play({lock(2, 64), write(2, 8), unlock(2, 64)}), "!..");
  EXPECT_EQ(stage.play({lock(1, 72), write(1, 8), unlock(1, 72)}), "!!.");
}

TEST(Unprotected, LeavesVariablesAloneThatAreOnlyReadAfterInitialisation) {
  Stage stage(everywhere("unprotected"));
  EXPECT_EQ(stage.play({write(1, 8), write(1, 8), read(2, 8), read(3, 8), read(1, 8)}), ".....");
  EXPECT_TRUE(stage.disturbs(write(1, 8))) << "written again, without a lock";
}

TEST(Unprotected, LetsAReadersLockGuardReadsButNotWrites) {
  const auto reader = [](unsigned thread) { return event(thread, EventKind::rwlock_rdlock, 64); };
  const auto writer = [](unsigned thread) { return event(thread, EventKind::rwlock_wrlock, 64); };
  const auto done = [](unsigned thread) { return event(thread, EventKind::rwlock_unlock, 64); };
  Stage stage(everywhere("unprotected"));
  stage.play({write(1, 8)});
  EXPECT_EQ(stage.play({reader(2), read(2, 8), done(2), writer(1), write(1, 8), done(1)}),
            "!..!..");
  EXPECT_EQ(stage.play({reader(2), write(2, 8), done(2)}), "!!.");
}

TEST(Unprotected, DisturbsWhatMayBlockOrTurnOutInSeveralWays) {
  EXPECT_EQ(Stage(everywhere("unprotected"))
                .play({lock(1, 64), unlock(1, 64), event(1, EventKind::cond_wait, 8),
                       event(1, EventKind::cond_signal, 8), event(1, EventKind::cond_broadcast, 8),
                       event(1, EventKind::mutex_trylock, 8), event(1, EventKind::thread_join, 8),
                       event(1, EventKind::sem_post, 8), event(1, EventKind::sem_wait, 8)}),
            "!.!!.!!.!");
}

TEST(Unprotected, DoesNotTakeAFailedTryForALock) {
  Stage stage(everywhere("unprotected"));
  const Event attempt = event(2, EventKind::mutex_trylock, 64);
  stage.play({lock(1, 64), write(1, 8), attempt, after(attempt, 16)});
  EXPECT_TRUE(stage.disturbs(write(2, 8)));
}

TEST(Unprotected, RemembersEarlierRuns) {
  Stage first(everywhere("unprotected"));
  first.play({write(1, 8), write(2, 8)});
  NoiseLesson lessons[4] = {};
  ASSERT_EQ(first.mixer().teach(lessons), 1u);
  Stage second(everywhere("unprotected"));
  second.mixer().learn({lessons, 1});
  EXPECT_EQ(second.play({write(1, 8), write(1, 16)}), "!.");
}

}  // namespace
}  // namespace heddle
