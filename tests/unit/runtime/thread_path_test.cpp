#include "runtime/thread_path.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::runtime {
namespace {

TEST(ThreadPath, TellsEveryThreadOfAWideTreeApart) {
  std::set<std::uint64_t> paths = {kMainPath};
  for (std::uint16_t child = 0; child < 200; ++child) {
    const std::uint64_t path = child_path(kMainPath, child);
    EXPECT_TRUE(paths.insert(path).second);
    for (std::uint16_t grandchild = 0; grandchild < 50; ++grandchild) {
      EXPECT_TRUE(paths.insert(child_path(path, grandchild)).second);
    }
  }
}

TEST(ThreadPath, DoesNotConfuseTheSecondChildOfTheFirstWithTheFirstOfTheSecond) {
  EXPECT_NE(child_path(child_path(kMainPath, 0), 1), child_path(child_path(kMainPath, 1), 0));
}

TEST(ThreadPath, IsAContractOnDisk) {
  EXPECT_EQ(kMainPath, mix64(1));
  EXPECT_EQ(child_path(kMainPath, 0), combine(kMainPath, 1));
}

TEST(ThreadPath, SeedsDifferByRunAndByThread) {
  EXPECT_NE(thread_seed(1, kMainPath), thread_seed(2, kMainPath));
  EXPECT_NE(thread_seed(1, kMainPath), thread_seed(1, child_path(kMainPath, 0)));
}

}  // namespace
}  // namespace heddle::runtime
