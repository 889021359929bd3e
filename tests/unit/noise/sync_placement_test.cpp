#include <gtest/gtest.h>

#include "scripted.h"

namespace heddle {
namespace {

using namespace scripted;

TEST(SyncPlacement, DisturbsNoAccesses) {
  EXPECT_EQ(Stage(everywhere("sync")).play({write(1, 8), read(2, 8), write(1, 8)}), "...");
}

TEST(SyncPlacement, DisturbsBeforeALockUntilItWasBlocked) {
  Stage stage(everywhere("sync"));
  EXPECT_EQ(stage.play({lock(1, 64, 10), after(lock(1, 64, 10))}), "!.");
  EXPECT_TRUE(stage.disturbs(lock(2, 72, 20))) << "another lock";
  stage.at(lock(2, 64, 30));
  EXPECT_FALSE(stage.disturbs(lock(3, 64, 30))) << "place 30 was blocked by thread 1";
}

TEST(SyncPlacement, DisturbsTheHolderUntilItBlockedSomebody) {
  NoiseSettings settings = everywhere("sync");
  settings.when = NoiseWhen::both;
  Stage stage(settings);
  EXPECT_EQ(stage.play({lock(1, 64, 10), after(lock(1, 64, 10)), unlock(1, 64, 11)}), "!!!");
  stage.play({lock(1, 64, 10), after(lock(1, 64, 10)), lock(2, 64, 20)});
  EXPECT_FALSE(stage.disturbs(unlock(1, 64, 11))) << "thread 2 waits for it";
}

TEST(SyncPlacement, DoesNotTakeAReleasedLockForABlockingOne) {
  Stage stage(everywhere("sync"));
  stage.play(
      {lock(1, 64, 10), after(lock(1, 64, 10)), unlock(1, 64, 11), after(unlock(1, 64, 11))});
  stage.at(lock(2, 64, 20));
  EXPECT_TRUE(stage.disturbs(lock(2, 64, 20)));
}

TEST(SyncPlacement, DoesNotTakeReadersForBlockingEachOther) {
  const auto reader = [](unsigned thread) {
    return event(thread, EventKind::rwlock_rdlock, 64, 10);
  };
  Stage stage(everywhere("sync"));
  stage.play({reader(1), after(reader(1)), reader(2), after(reader(2))});
  EXPECT_TRUE(stage.disturbs(reader(3)));
  stage.at(event(4, EventKind::rwlock_wrlock, 64, 20));
  EXPECT_FALSE(stage.disturbs(event(5, EventKind::rwlock_wrlock, 64, 20)));
}

TEST(SyncPlacement, KnowsThatAConditionWaitGivesTheMutexUp) {
  Stage stage(everywhere("sync"));
  Event wait = event(1, EventKind::cond_wait, 128, 30);
  wait.argument = lock(1, 64).object.value;
  stage.play({lock(1, 64, 10), after(lock(1, 64, 10)), wait});
  stage.at(lock(2, 64, 20));
  EXPECT_TRUE(stage.disturbs(lock(3, 64, 20))) << "the waiter does not hold it";
}

TEST(SyncPlacement, DisturbsOtherSynchronisationOnFirstVisit) {
  EXPECT_EQ(
      Stage(everywhere("sync"))
          .play({event(1, EventKind::cond_signal, 8, 10), event(1, EventKind::cond_signal, 8, 10),
                 event(1, EventKind::sem_post, 8, 11)}),
      "!.!");
}

TEST(SyncPlacement, PassesItsTasksOnToTheNextRun) {
  Stage first(everywhere("sync"));
  first.play({lock(1, 64, 10), after(lock(1, 64, 10)), lock(2, 64, 20)});
  NoiseLesson lessons[4] = {};
  ASSERT_EQ(first.mixer().teach(lessons), 2u);
  Stage second(everywhere("sync"));
  second.mixer().learn({lessons, 2});
  EXPECT_EQ(second.play({lock(1, 64, 10), after(lock(1, 64, 10)), lock(2, 64, 20)}), "!..");
}

}  // namespace
}  // namespace heddle
