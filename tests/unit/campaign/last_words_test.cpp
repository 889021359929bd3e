#include "campaign/last_words.h"

#include <gtest/gtest.h>

namespace heddle::campaign {
namespace {

TEST(Normalise, MakesMessagesWithOtherNumbersTheSame) {
  EXPECT_EQ(normalise("lost 3 of 2000 at 0x7ffe12"), normalise("lost 41 of 2000 at 0x7fff00"));
  EXPECT_NE(normalise("lost 3"), normalise("found 3"));
  EXPECT_EQ(normalise("thread4 failed"), "thread4 failed");
}

TEST(LastWords, AreTheFirstAssertion) {
  const std::string assertion = "prog: a.c:12: main: Assertion `x == 2' failed.";
  const LastWords words = last_words("begin\n" + assertion + "\nAborted\n");
  EXPECT_TRUE(words.known_check());
  EXPECT_EQ(words.line(), assertion);
  EXPECT_EQ(words.signature(), assertion);
}

TEST(LastWords, OfGoogleTestAreTheExpectationNotTheCount) {
  const LastWords words = last_words(
      "[ RUN      ] Queue.Keeps\n"
      "queue_test.cc:42: Failure\n"
      "Expected equality of these values:\n"
      "  queue.size()\n"
      "    Which is: 3\n"
      "  4\n"
      "\n"
      "[  FAILED  ] Queue.Keeps (0 ms)\n"
      " 1 FAILED TEST\n");
  EXPECT_EQ(
      words.line(),
      "queue_test.cc:42: Failure: Expected equality of these values: queue.size() Which is: 3 4");
  EXPECT_EQ(
      words.signature(),
      "queue_test.cc:42: Failure: Expected equality of these values: queue.size() Which is: # #");
}

TEST(LastWords, OfGoogleTestTellTwoExpectationsApart) {
  const std::string rest = ": Failure\nExpected equality of these values:\n  n\n    Which is: 3\n";
  EXPECT_NE(last_words("a_test.cc:41" + rest).signature(),
            last_words("a_test.cc:42" + rest).signature());
}

TEST(LastWords, OfCatchAndDoctestAndBoost) {
  EXPECT_EQ(last_words("q.cpp:7: FAILED:\n  REQUIRE( a == b )\nwith expansion:\n  1 == 2\n\n===\n")
                .line(),
            "q.cpp:7: FAILED: REQUIRE( a == b ) with expansion: 1 == 2");
  EXPECT_TRUE(
      last_words("q.cpp:9: ERROR: CHECK( a == b ) is NOT correct!\n  values: 1\n").known_check());
  EXPECT_TRUE(last_words("q.cpp(9): error: in \"all\": check a == b has failed\n").known_check());
}

TEST(LastWords, ElseAreTheLastLineAndStderrGoesFirst) {
  RunCapture capture;
  capture.out.text = "all done\n\n";
  EXPECT_EQ(last_words(capture).line(), "all done");
  capture.err.text = "lost 3 of 2000\n";
  EXPECT_EQ(last_words(capture).line(), "lost 3 of 2000");
  EXPECT_FALSE(last_words(capture).known_check());
  EXPECT_EQ(last_words(capture).signature(), "lost # of #");
  capture.out.text = "x.cc:1: Failure\nFailed\n";
  EXPECT_EQ(last_words(capture).line(), "x.cc:1: Failure: Failed");
}

}  // namespace
}  // namespace heddle::campaign
