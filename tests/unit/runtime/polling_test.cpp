#include "runtime/controlled/polling.h"

#include <gtest/gtest.h>

namespace heddle::controlled {
namespace {

constexpr std::uint64_t kTail = 11;
constexpr std::uint64_t kSlot = 13;
constexpr std::uint64_t kSlotFilled = 15;

// Long enough for a thread to count as one that polls.
void look_in_turn(Polling& polling, std::uint64_t changes) {
  for (int i = 0; i < 32; ++i) polling.look(i % 2 == 0 ? kTail : kSlot, changes);
}

TEST(Polling, IsInVainOnceThePlaceWasLookedAtOftenEnough) {
  Polling polling{};
  polling.look(kTail, 0);
  int looks = 1;
  while (!polling.in_vain(0) && looks < 100) {
    polling.look(kTail, 0);
    ++looks;
  }
  EXPECT_GT(looks, 16) << "libstdc++ looks 16 times before it blocks";
  EXPECT_LT(looks, 100);
  EXPECT_FALSE(polling.in_vain(1)) << "something changed";
}

TEST(Polling, OfTwoPlacesIsNotInVainWhenOneOfThemWasNotLookedAtSinceTheLastChange) {
  Polling polling{};
  look_in_turn(polling, 5);
  ASSERT_TRUE(polling.in_vain(5));
  polling.look(kTail, 6);
  EXPECT_TRUE(polling.goes_on());
  EXPECT_FALSE(polling.in_vain(6)) << "the change may be in the slot";
  polling.look(kSlot, 6);
  EXPECT_TRUE(polling.in_vain(6));
}

TEST(Polling, EndsWithALookThatFindsSomethingNew) {
  Polling polling{};
  look_in_turn(polling, 5);
  polling.look(kTail, 6);
  polling.look(kSlotFilled, 6);
  EXPECT_FALSE(polling.goes_on());
  EXPECT_FALSE(polling.in_vain(6));
}

TEST(Polling, ForgetsPlacesThatItOnlyPassed) {
  Polling polling{};
  look_in_turn(polling, 0);
  for (int i = 0; i < 100; ++i) polling.look(kTail, 1);
  EXPECT_TRUE(polling.in_vain(1)) << "the slot is not polled any more";
  polling.look(kTail, 2);
  EXPECT_TRUE(polling.in_vain(2));
}

TEST(Polling, OfMorePlacesThanItCanKeepIsNeverInVain) {
  Polling polling{};
  for (std::uint64_t i = 0; i < 900; ++i) polling.look(1 + 2 * (i % 9), 0);
  EXPECT_FALSE(polling.goes_on());
}

TEST(Polling, MovesWhereItsOwnStateIsAnotherAtEachLook) {
  Polling polling{};
  for (std::uint64_t i = 0; i < 100; ++i) polling.look(kTail, 1, 1000 + i);
  EXPECT_TRUE(polling.in_vain(1)) << "what it looks at is as it was";
  EXPECT_TRUE(polling.moves());
}

TEST(Polling, StandsStillWhereItsOwnStateIsTheSame) {
  Polling polling{};
  for (int i = 0; i < 100; ++i) polling.look(kTail, 1, 1000);
  EXPECT_TRUE(polling.in_vain(1));
  EXPECT_FALSE(polling.moves());
}

TEST(Polling, StandsStillBeforeItCountsAsPollingIfItOnlyMovedAtFirst) {
  Polling polling{};
  std::uint64_t looks = 0;
  for (; looks < 4; ++looks) polling.look(kTail, 1, looks);
  for (; !polling.goes_on(); ++looks) polling.look(kTail, 1, 1000);
  EXPECT_FALSE(polling.moves());
}

TEST(Polling, KeepsTheStateAtEachOfSeveralPlaces) {
  Polling polling{};
  for (std::uint64_t i = 0; i < 100; ++i) polling.look(1 + 2 * (i % 3), 0, i % 3);
  EXPECT_TRUE(polling.goes_on());
  EXPECT_FALSE(polling.moves());
}

TEST(Polling, IsForgottenWithProgress) {
  Polling polling{};
  look_in_turn(polling, 0);
  polling.forget();
  EXPECT_FALSE(polling.goes_on());
  polling.look(kTail, 0);
  EXPECT_FALSE(polling.in_vain(0));
}

}  // namespace
}  // namespace heddle::controlled
