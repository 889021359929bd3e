#include "campaign/run_directory.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "host/files.h"

namespace heddle::campaign {
namespace {

class RunDirectoryTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(RunDirectory::create(directory, scratch->path().string(), 0, 1000));
  }
  void print(const std::string& text) {
    std::ofstream(directory.out().path(), std::ios::app) << text;
  }

  Result<TemporaryDirectory> scratch = TemporaryDirectory::create("heddle-test");
  RunDirectory directory;
};

TEST_F(RunDirectoryTest, KeepsAllOfALittleOutput) {
  print("hello\n");
  directory.out().keep_within_cap();
  EXPECT_FALSE(directory.out().was_cut());
  EXPECT_EQ(directory.out().contents(1000).text, "hello\n");
}

TEST_F(RunDirectoryTest, CutsTheMiddleOutOfTooMuch) {
  print("first\n");
  for (int i = 0; i < 100; ++i) {
    print(std::string(400, 'x'));
    directory.out().keep_within_cap();
    const OutputFile::Gap gap = directory.out().gap();
    EXPECT_LE(directory.out().size() - (gap.end - gap.begin), 1000u);
  }
  print("last\n");
  const KeptOutput kept = directory.out().contents(1000);
  EXPECT_TRUE(kept.text.starts_with("first\n"));
  EXPECT_TRUE(kept.text.ends_with("last\n"));
  EXPECT_GT(kept.cut, 38'000u);
  EXPECT_NE(kept.text.find("bytes were cut here"), std::string::npos);
}

TEST_F(RunDirectoryTest, ShowsTheEndsOfWhatFitsTheFileButNotTheFolder) {
  print("first" + std::string(600, '-') + "last");
  const KeptOutput kept = directory.out().contents(100);
  EXPECT_TRUE(kept.text.starts_with("first"));
  EXPECT_TRUE(kept.text.ends_with("last"));
  EXPECT_EQ(kept.cut, 509u);
}

TEST_F(RunDirectoryTest, EmptiesEverythingBetweenRuns) {
  print("old");
  std::ofstream(directory.temporary() + "/left") << "behind";
  directory.clear();
  EXPECT_EQ(directory.out().size(), 0u);
  EXPECT_TRUE(std::filesystem::is_empty(directory.temporary()));
}

}  // namespace
}  // namespace heddle::campaign
