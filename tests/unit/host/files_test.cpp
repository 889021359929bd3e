#include "host/files.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

namespace heddle {
namespace {

namespace fs = std::filesystem;

TEST(Files, AWrittenFileReadsBackAndLeavesNothingBeside) {
  Result<TemporaryDirectory> place = TemporaryDirectory::create();
  ASSERT_TRUE(place.ok());
  const fs::path file = place->path() / "a";
  ASSERT_TRUE(write_file(file, "old").ok());
  ASSERT_TRUE(write_file(file, std::string("new\0text", 8)).ok());
  EXPECT_EQ(*read_file(file), std::string("new\0text", 8));
  EXPECT_EQ(std::distance(fs::directory_iterator(place->path()), fs::directory_iterator()), 1);
}

TEST(Files, AFullDiskIsNamedWithWhatToDo) {
  if (!fs::exists("/dev/full")) {
    GTEST_SKIP() << "no /dev/full";
  }
  const Result<void> written = write_file("/dev/full", "text");
  ASSERT_FALSE(written.ok());
  EXPECT_NE(written.error().sentence.find("no space left"), std::string::npos);
  EXPECT_NE(written.error().sentence.find("Free some space"), std::string::npos);
}

TEST(Files, ADirectoryUnderAFileIsRefused) {
  Result<TemporaryDirectory> place = TemporaryDirectory::create();
  ASSERT_TRUE(place.ok());
  ASSERT_TRUE(write_file(place->path() / "a", "").ok());
  EXPECT_FALSE(make_directories(place->path() / "a" / "b").ok());
  EXPECT_FALSE(make_directories(place->path() / "a").ok());
  EXPECT_FALSE(write_file(place->path(), "text").ok());
}

TEST(Files, AnUnwritableDirectoryIsFoundBeforeItIsNeeded) {
  EXPECT_FALSE(make_writable_directory("/proc/heddle").ok());
  Result<TemporaryDirectory> place = TemporaryDirectory::create();
  ASSERT_TRUE(place.ok());
  EXPECT_TRUE(make_writable_directory(place->path() / "x" / "y").ok());
  EXPECT_TRUE(fs::is_empty(place->path() / "x" / "y"));
}

TEST(Files, AMissingFileIsASentence) {
  const Result<std::string> text = read_file("/nonexistent/file");
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().sentence,
            "Cannot read '/nonexistent/file': no such file or directory. Check the path.");
  EXPECT_EQ(text.error().exit_status, kExitBadUsage);
}

TEST(Files, ReadingABeginningStopsAtTheLimit) {
  Result<TemporaryDirectory> place = TemporaryDirectory::create();
  ASSERT_TRUE(place.ok());
  ASSERT_TRUE(write_file(place->path() / "a", std::string(100000, 'x')).ok());
  EXPECT_EQ(read_file_beginning(place->path() / "a", 70000)->size(), 70000u);
}

TEST(Files, ATemporaryDirectoryVanishesWithAllItHolds) {
  fs::path where;
  {
    Result<TemporaryDirectory> place = TemporaryDirectory::create("claim");
    ASSERT_TRUE(place.ok());
    where = place->path();
    ASSERT_TRUE(make_directories(where / "deep" / "er").ok());
    ASSERT_TRUE(write_file(where / "deep" / "file", "x").ok());
  }
  EXPECT_FALSE(fs::exists(where));
}

}  // namespace
}  // namespace heddle
