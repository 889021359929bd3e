#include "noise/budget.h"

#include <gtest/gtest.h>

namespace heddle {
namespace {

constexpr std::uint64_t kStep = 50'000;  // between two questions, in nanoseconds
constexpr std::uint64_t kEvents = 100;   // had in that time, undisturbed

// A program of threads that ask in turn, and what noise of 2 ms does to it.
class Program {
 public:
  explicit Program(std::uint32_t percent) { budget_.begin_run(percent); }

  // Where a delay holds everybody up, nothing gets done meanwhile; else the others go on as fast.
  void run(int questions, bool holds_all_up) {
    for (int i = 0; i < questions; ++i) {
      pass(kStep, kEvents);
      if (!allowed_) continue;
      ++disturbed;
      budget_.noise_begins();
      pass(kNoise, holds_all_up ? 0 : kEvents * kNoise / kStep);
      budget_.noise_ends();
    }
  }
  // Time in which so many events happen.
  void pass(std::uint64_t time, std::uint64_t events) {
    now_ += time;
    done_ += events;
    allowed_ = budget_.allows(now_, events);
  }

  double slowdown() const {
    const double usual = static_cast<double>(done_) / kEvents * kStep;
    return static_cast<double>(now_ - 1) / usual - 1;
  }
  bool allowed() const { return allowed_; }

  int disturbed = 0;

 private:
  static constexpr std::uint64_t kNoise = 2'000'000;
  Budget budget_;
  std::uint64_t now_ = 1;
  std::uint64_t done_ = 0;
  bool allowed_ = false;
};

TEST(Budget, WhatHoldsEverybodyUpSlowsTheProgramDownByTheBudget) {
  for (const std::uint32_t percent : {5u, 20u, 50u}) {
    Program program(percent);
    program.run(40'000, true);
    EXPECT_NEAR(program.slowdown(), percent / 100.0, 0.02) << percent;
  }
}

TEST(Budget, WhatOthersMakeUpForCostsNothing) {
  Program program(20);
  program.run(2'000, false);
  EXPECT_GT(program.disturbed, 500);
}

TEST(Budget, NothingIsAllowedBeforeThePaceIsKnown) {
  Program program(20);
  for (int i = 0; i < 55; ++i) {
    program.pass(kStep, kEvents);
    EXPECT_FALSE(program.allowed()) << i;
  }
  for (int i = 0; i < 40; ++i) program.pass(kStep, kEvents);
  EXPECT_TRUE(program.allowed());
}

TEST(Budget, ALongSilenceTellsNothingOfThePace) {
  Program program(20);
  program.run(2'000, true);
  const int before = program.disturbed;
  // Were these taken for the program's pace, what comes next would seem fast, whatever noise did to it.
  for (int i = 0; i < 100; ++i) program.pass(20'000'000, 1);
  program.run(2'000, true);
  const int then = program.disturbed - before;
  EXPECT_GT(then, before / 2);
  EXPECT_LT(then, before * 2);
}

TEST(Budget, ThePaceIsTheOneOfLate) {
  Program program(20);
  program.run(2'000, true);
  // Ten times slower by itself: that is not noise's doing, and noise goes on after a while.
  for (int i = 0; i < 4'000; ++i) program.pass(kStep, kEvents / 10);
  EXPECT_TRUE(program.allowed());
}

TEST(Budget, NoneIsSetWithoutOne) {
  Budget budget;
  budget.begin_run(0);
  EXPECT_FALSE(budget.is_set());
}

}  // namespace
}  // namespace heddle
