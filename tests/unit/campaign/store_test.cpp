#include "campaign/store/store.h"

#include <gtest/gtest.h>

#include <fstream>

#include "host/files.h"

namespace heddle::campaign {
namespace {

class StoreTest : public testing::Test {
 protected:
  Result<TemporaryDirectory> directory = TemporaryDirectory::create("heddle-test");
  std::filesystem::path file = directory->path() / "campaign.sqlite";
};

std::vector<RunRow> rows(std::uint64_t first, std::uint64_t last) {
  std::vector<RunRow> result;
  for (std::uint64_t run = first; run <= last; ++run) {
    RunRow row;
    row.run = run;
    row.seed = ~run;  // does not fit a signed number
    result.push_back(row);
  }
  return result;
}

TEST_F(StoreTest, KeepsEveryRunOnce) {
  auto store = *Store::open(file);
  ASSERT_TRUE(store->begin_campaign({"prog", "", "controlled", "pct:3", 1}));
  ASSERT_TRUE(store->add_runs(rows(1, 50)));
  ASSERT_TRUE(store->add_runs(rows(50, 60)));
  EXPECT_EQ(*store->count_runs(), 60u);
}

TEST_F(StoreTest, ServesTwoCampaignsAtOnce) {
  auto one = *Store::open(file);
  auto two = *Store::open(file);
  ASSERT_TRUE(one->begin_campaign({"prog", "", "controlled", "pos", 1}));
  ASSERT_TRUE(two->begin_campaign({"prog", "", "controlled", "pos", 2}));
  EXPECT_NE(one->campaign(), two->campaign());
  for (std::uint64_t run = 1; run <= 20; ++run) {
    ASSERT_TRUE(one->add_runs(rows(run, run)));
    ASSERT_TRUE(two->add_runs(rows(run, run)));
  }
  EXPECT_EQ(*one->count_runs(), 20u);
  EXPECT_EQ(*two->count_runs(), 20u);
}

TEST_F(StoreTest, RefusesWhatIsNoStore) {
  std::ofstream(file) << "this is a text that is long enough not to be taken for an empty database";
  const auto store = Store::open(file);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().sentence.find("--out"), std::string::npos);
}

TEST_F(StoreTest, RefusesANewerVersionPolitely) {
  { ASSERT_TRUE(Store::open(file)); }
  std::fstream raw(file, std::ios::in | std::ios::out | std::ios::binary);
  raw.seekp(60);  // SQLite's user_version, big-endian
  raw.write("\0\0\0\x63", 4);
  raw.close();
  const auto store = Store::open(file);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().sentence.find("newer"), std::string::npos);
}

}  // namespace
}  // namespace heddle::campaign
