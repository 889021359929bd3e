#include "runtime/recent_accesses.h"

#include <gtest/gtest.h>

#include <memory>

namespace heddle::runtime {
namespace {

class RecentAccessesTest : public testing::Test {
 protected:
  bool reads(const int& place, std::uint64_t era = 1) {
    return recent->knows(era, &place, 4, EventKind::read);
  }
  bool writes(const int& place, std::uint64_t era = 1) {
    return recent->knows(era, &place, 4, EventKind::write);
  }

  std::unique_ptr<RecentAccesses> recent = std::make_unique<RecentAccesses>();
  int places[2] = {};
};

TEST_F(RecentAccessesTest, TheSameAccessAgainIsKnown) {
  EXPECT_FALSE(reads(places[0]));
  EXPECT_TRUE(reads(places[0]));
  EXPECT_FALSE(reads(places[1]));
}

TEST_F(RecentAccessesTest, AReadIsKnownByAWriteAndNotTheOtherWayRound) {
  EXPECT_FALSE(reads(places[0]));
  EXPECT_FALSE(writes(places[0]));
  EXPECT_TRUE(reads(places[0]));
  EXPECT_TRUE(writes(places[0]));
}

TEST_F(RecentAccessesTest, ALargerOneIsNotKnownByASmallerOne) {
  EXPECT_FALSE(recent->knows(1, places, 4, EventKind::read));
  EXPECT_FALSE(recent->knows(1, places, 8, EventKind::read));
  EXPECT_TRUE(recent->knows(1, places, 4, EventKind::read));
}

TEST_F(RecentAccessesTest, AnotherEraKnowsNothing) {
  EXPECT_FALSE(writes(places[0], 1));
  EXPECT_FALSE(writes(places[0], 2));
}

TEST_F(RecentAccessesTest, WhatTookItsPlaceMakesItUnknown) {
  const auto* const far = reinterpret_cast<const char*>(&places[0]) + 4 * 4096;
  EXPECT_FALSE(reads(places[0]));
  EXPECT_FALSE(recent->knows(1, far, 4, EventKind::read));
  EXPECT_FALSE(reads(places[0]));
}

}  // namespace
}  // namespace heddle::runtime
