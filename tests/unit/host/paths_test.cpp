#include "host/paths.h"

#include <gtest/gtest.h>

#include "host/files.h"

namespace heddle {
namespace {

TEST(RuntimeFiles, AreBesideTheToolInABuildTree) {
  Result<TemporaryDirectory> place = TemporaryDirectory::create();
  ASSERT_TRUE(place.ok());
  ASSERT_TRUE(make_directories(place->path() / "lib" / "heddle").ok());
  ASSERT_TRUE(write_file(place->path() / "lib" / "heddle" / "libheddle_rt.so", "").ok());
  Result<RuntimeFiles> files = find_runtime_files(place->path() / "heddle");
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->directory, place->path() / "lib" / "heddle");
}

TEST(RuntimeFiles, AreInTheNeighbouringLibOfAnInstalledTool) {
  Result<TemporaryDirectory> place = TemporaryDirectory::create();
  ASSERT_TRUE(place.ok());
  ASSERT_TRUE(make_directories(place->path() / "lib" / "heddle").ok());
  ASSERT_TRUE(write_file(place->path() / "lib" / "heddle" / "libheddle_rt.so", "").ok());
  Result<RuntimeFiles> files = find_runtime_files(place->path() / "bin" / "heddle");
  ASSERT_TRUE(files.ok());
  EXPECT_EQ(files->as_gcc_tsan, place->path() / "lib" / "heddle" / "as-gcc-tsan" / "libtsan.so.2");
}

TEST(RuntimeFiles, MissingOnesAreASentence) {
  Result<RuntimeFiles> files = find_runtime_files("/nonexistent/bin/heddle");
  ASSERT_FALSE(files.ok());
  EXPECT_NE(files.error().sentence.find("scripts/build"), std::string::npos);
}

}  // namespace
}  // namespace heddle
