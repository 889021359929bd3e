#include "campaign/failure.h"

#include <gtest/gtest.h>

#include "campaign/failure_folder.h"
#include "campaign/ledger.h"

namespace heddle::campaign {
namespace {

Judgement some_judgement() {
  Judgement judgement;
  judgement.kind = FailureKind::exit;
  judgement.message = "exit status 1";
  judgement.signature = "exit | 1 | ";
  return judgement;
}

TEST(FailureId, IsTheSameForAProgramWhereverItLies) {
  EXPECT_EQ(failure_id(some_judgement(), "/a/tests"), failure_id(some_judgement(), "/b/c/tests"));
}

TEST(FailureId, TellsProgramsApart) {
  EXPECT_NE(failure_id(some_judgement(), "/a/tests"), failure_id(some_judgement(), "/a/bench"));
}

TEST(StoredFailure, KeepsWhatWasKnownOfIt) {
  Failure failure;
  failure.id = "exit-00000001";
  failure.judgement = some_judgement();
  failure.strategy = "pos";
  failure.first_run = 3;
  failure.count = 2;
  failure.reproduced = "10/10";
  failure.explanation = Explanation{.bug = BugClass::atomicity, .sentence = "because"};
  Failure restored = failure_of(failure_row(failure));
  EXPECT_FALSE(restored.unfinished);
  Json wanted = failure_json(failure);
  EXPECT_EQ(failure_json(restored), wanted);
  restored.count = 5;
  wanted["count"] = 5;
  EXPECT_EQ(failure_json(restored), wanted);
}

TEST(StoredFailure, KnowsThatItWasLeftUnfinished) {
  Failure failure;
  failure.judgement = some_judgement();
  failure.unfinished = true;
  EXPECT_TRUE(failure_of(failure_row(failure)).unfinished);
}

}  // namespace
}  // namespace heddle::campaign
