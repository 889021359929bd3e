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

CampaignRow campaign(std::uint64_t seed) {
  return {"/bin/prog", "abc", R"({"strategy":"pos"})", "controlled", "pos", seed};
}

RunRow row(std::uint64_t run) {
  RunRow row;
  row.run = run;
  row.seed = ~run;  // does not fit a signed number
  row.strategy = run % 2 == 0 ? "pct:3" : "pos";
  row.schedule_hash = run * 0x9e3779b97f4a7c15ULL;
  return row;
}

RoundRows round_up_to(std::uint64_t last) {
  RoundRows round;
  round.last = last;
  round.learned = "learned up to here";
  return round;
}

TEST_F(StoreTest, KeepsEveryRunOnce) {
  auto store = *Store::open(file);
  ASSERT_TRUE(store->begin_campaign(campaign(1)));
  for (std::uint64_t run = 1; run <= 50; ++run) ASSERT_TRUE(store->add_run(row(run), ""));
  for (std::uint64_t run = 50; run <= 60; ++run) ASSERT_TRUE(store->add_run(row(run), ""));
  EXPECT_EQ(*store->count_runs(), 60u);
}

TEST_F(StoreTest, ServesTwoCampaignsAtOnce) {
  auto one = *Store::open(file);
  auto two = *Store::open(file);
  ASSERT_TRUE(one->begin_campaign(campaign(1)));
  ASSERT_TRUE(two->begin_campaign(campaign(2)));
  EXPECT_NE(one->campaign(), two->campaign());
  EXPECT_EQ(one->program(), two->program());
  for (std::uint64_t run = 1; run <= 20; ++run) {
    ASSERT_TRUE(one->add_run(row(run), "x"));
    ASSERT_TRUE(two->add_run(row(run), "y"));
  }
  ASSERT_TRUE(one->end_round(round_up_to(10)));
  EXPECT_EQ(*one->count_runs(), 10u);
  EXPECT_EQ(*two->count_runs(), 20u);
}

TEST_F(StoreTest, TakesUpACampaignWhereItWasLeft) {
  {
    auto store = *Store::open(file);
    ASSERT_TRUE(store->begin_campaign(campaign(7)));
    for (std::uint64_t run = 1; run <= 4; ++run) ASSERT_TRUE(store->add_run(row(run), "old"));
    RoundRows round = round_up_to(4);
    round.failures.push_back({"id", "exit", "message", "signature", "10/10", 3, 2, "{}"});
    round.failing.push_back(row(3));
    round.failing.back().kind = "exit";
    round.findings.push_back({"s", "race", "fasttrack", "m", 1, 4});
    ASSERT_TRUE(store->end_round(round));
    ASSERT_TRUE(store->add_run(row(6), "six"));
    ASSERT_TRUE(store->add_run(row(5), std::string("fi\0ve", 5)));
  }
  auto store = *Store::open(file);
  const auto taken = store->take_up(campaign(0), Store::SeedWanted::any);
  ASSERT_TRUE(taken);
  ASSERT_TRUE(taken->has_value());
  const StoredCampaign& earlier = **taken;
  EXPECT_EQ(earlier.seed, 7u);
  EXPECT_EQ(earlier.stopped_by, "");
  EXPECT_EQ(earlier.merged, 4u);
  EXPECT_EQ(earlier.learned, "learned up to here");
  ASSERT_EQ(earlier.pending.size(), 2u);
  EXPECT_EQ(earlier.pending[0], std::pair(std::uint64_t{5}, std::string("fi\0ve", 5)));
  EXPECT_EQ(earlier.pending[1].first, 6u);
  ASSERT_EQ(earlier.failures.size(), 1u);
  EXPECT_EQ(earlier.failures[0].count, 2u);
  ASSERT_EQ(earlier.findings.size(), 1u);
  EXPECT_EQ(earlier.findings[0].detector, "fasttrack");
  std::vector<std::uint64_t> hashes;
  ASSERT_TRUE(store->each_schedule_hash(4, [&](std::uint64_t hash) { hashes.push_back(hash); }));
  ASSERT_EQ(hashes.size(), 4u);
  EXPECT_EQ(hashes[3], row(4).schedule_hash);
}

TEST_F(StoreTest, TakesUpNothingOfAnotherProgramConfigurationOrSeed) {
  {
    auto store = *Store::open(file);
    ASSERT_TRUE(store->begin_campaign(campaign(7)));
  }
  auto store = *Store::open(file);
  CampaignRow other = campaign(7);
  other.build_id = "def";
  EXPECT_FALSE(store->take_up(other, Store::SeedWanted::any)->has_value());
  other = campaign(7);
  other.configuration = "another";
  EXPECT_FALSE(store->take_up(other, Store::SeedWanted::any)->has_value());
  EXPECT_FALSE(store->take_up(campaign(8), Store::SeedWanted::this_one)->has_value());
  EXPECT_TRUE(store->take_up(campaign(7), Store::SeedWanted::this_one)->has_value());
}

TEST_F(StoreTest, LeavesACampaignAloneThatAnotherProcessHas) {
  auto running = *Store::open(file);
  ASSERT_TRUE(running->begin_campaign(campaign(7)));
  auto second = *Store::open(file);
  EXPECT_FALSE(second->take_up(campaign(7), Store::SeedWanted::any)->has_value());
  running.reset();
  EXPECT_TRUE(second->take_up(campaign(7), Store::SeedWanted::any)->has_value());
}

TEST_F(StoreTest, AFullDiskEndsInASentenceAndAnIntactStore) {
  auto store = *Store::open(file);
  ASSERT_TRUE(store->begin_campaign(campaign(1)));
  const std::uint64_t pages = *store->database().one("PRAGMA page_count");
  ASSERT_TRUE(store->database().script("PRAGMA max_page_count=" + std::to_string(pages + 4)));
  std::uint64_t stored = 0;
  Result<void> added;
  while ((added = store->add_run(row(stored + 1), std::string(2000, 'x'))).ok()) ++stored;
  EXPECT_NE(added.error().sentence.find("disk is full"), std::string::npos);
  EXPECT_GT(stored, 0u);
  store = *Store::open(file);
  EXPECT_EQ(*store->database().one("SELECT count(*) FROM runs"), stored);
  EXPECT_EQ(*store->database().one("SELECT count(*) FROM pending"), stored);
  std::string verdict;
  ASSERT_TRUE(store->database().each("PRAGMA integrity_check", {},
                                     [&](const Row& answer) { verdict = answer.text(0); }));
  EXPECT_EQ(verdict, "ok");
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

TEST_F(StoreTest, MigratesAStoreOfVersion1) {
  {
    auto old = *Database::open(file, Database::Access::read_write);
    ASSERT_TRUE(old->script(R"(
      CREATE TABLE campaigns(id INTEGER PRIMARY KEY, program TEXT NOT NULL, build_id TEXT NOT NULL,
        engine TEXT NOT NULL, strategy TEXT NOT NULL, seed INTEGER NOT NULL, stopped_by TEXT,
        seconds REAL);
      CREATE TABLE runs(campaign INTEGER NOT NULL, run INTEGER NOT NULL, seed INTEGER NOT NULL,
        strategy TEXT NOT NULL, kind TEXT, failure TEXT, wait_status INTEGER NOT NULL,
        steps INTEGER NOT NULL, preemptions INTEGER NOT NULL, schedule_hash INTEGER NOT NULL,
        event_hash INTEGER NOT NULL, seconds REAL NOT NULL, PRIMARY KEY(campaign, run))
        WITHOUT ROWID;
      CREATE TABLE failures(campaign INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL,
        message TEXT NOT NULL, signature TEXT NOT NULL, reproduced TEXT NOT NULL,
        first_run INTEGER NOT NULL, count INTEGER NOT NULL, PRIMARY KEY(campaign, id)) WITHOUT ROWID;
      INSERT INTO campaigns VALUES(1,'/bin/prog','abc','controlled','pos',3,'failure',0.5);
      INSERT INTO runs VALUES(1,1,11,'pos',NULL,NULL,0,5,1,77,78,0.1);
      INSERT INTO runs VALUES(1,2,12,'pct:3','exit','f',256,5,1,79,80,0.1);
      INSERT INTO failures VALUES(1,'f','exit','m','s','10/10',2,1);
      PRAGMA user_version=1;)"));
  }
  auto store = *Store::open(file);
  Database& database = store->database();
  EXPECT_EQ(*database.one("PRAGMA user_version"), static_cast<std::uint64_t>(kStoreVersion));
  EXPECT_EQ(*database.one("SELECT count(*) FROM runs"), 2u);
  EXPECT_EQ(*database.one("SELECT r.schedule_hash FROM runs r JOIN strategies s ON s.id=r.strategy "
                          "WHERE s.text='pct:3'"),
            79u);
  EXPECT_EQ(*database.one("SELECT count(*) FROM failures WHERE id='f'"), 1u);
  ASSERT_TRUE(store->begin_campaign(campaign(4)));
  EXPECT_EQ(store->campaign(), 2u);
  EXPECT_EQ(store->program(), 1u);
}

constexpr const char* kPendingOfVersion3 = R"(
  DROP TABLE pending;
  CREATE TABLE pending(
    campaign INTEGER NOT NULL REFERENCES campaigns(id), run INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY(campaign, run)) WITHOUT ROWID;)";

constexpr const char* kBackToVersion4 = R"(
  DROP TABLE lock_edges;
  ALTER TABLE findings DROP COLUMN confirmed_run;
  ALTER TABLE findings DROP COLUMN over_runs;)";

TEST_F(StoreTest, KeepsWhatAFindingTakesAndWhatConfirmedIt) {
  {
    auto store = *Store::open(file);
    ASSERT_TRUE(store->begin_campaign(campaign(7)));
    RoundRows round = round_up_to(4);
    round.findings.push_back({"s", "lock-order", "goodlock", "m", 2, 0, 0, 0, 4, {0, 3, 8}});
    ASSERT_TRUE(store->end_round(round));
  }
  auto store = *Store::open(file);
  const auto taken = store->take_up(campaign(7), Store::SeedWanted::any);
  ASSERT_TRUE(taken && taken->has_value());
  ASSERT_EQ((*taken)->findings.size(), 1u);
  EXPECT_EQ((*taken)->findings[0].confirmed_run, 4u);
  EXPECT_EQ((*taken)->findings[0].over_runs, (std::vector<std::uint64_t>{0, 3, 8}));
}

TEST_F(StoreTest, MigratesAStoreOfVersion4) {
  {
    auto store = *Store::open(file);
    ASSERT_TRUE(store->begin_campaign(campaign(7)));
    ASSERT_TRUE(store->end_round(round_up_to(4)));
    Database& old = store->database();
    ASSERT_TRUE(old.script(kBackToVersion4));
    ASSERT_TRUE(old.script("INSERT INTO findings VALUES(1,'s','race','fasttrack','m',1,4,0,4)"));
    ASSERT_TRUE(old.script("PRAGMA user_version=4"));
  }
  auto store = *Store::open(file);
  const auto taken = store->take_up(campaign(7), Store::SeedWanted::any);
  ASSERT_TRUE(taken && taken->has_value());
  ASSERT_EQ((*taken)->findings.size(), 1u);
  EXPECT_EQ((*taken)->findings[0].count, 4u);
  EXPECT_EQ((*taken)->findings[0].confirmed_run, 0u);
  EXPECT_TRUE((*taken)->findings[0].over_runs.empty());
  EXPECT_EQ(*store->database().one("SELECT count(*) FROM lock_edges"), 0u);
}

TEST_F(StoreTest, MigratesAStoreOfVersion3) {
  {
    auto store = *Store::open(file);
    ASSERT_TRUE(store->begin_campaign(campaign(7)));
    ASSERT_TRUE(store->end_round(round_up_to(4)));
    Database& old = store->database();
    ASSERT_TRUE(old.script(kBackToVersion4));
    ASSERT_TRUE(old.script(kPendingOfVersion3));
    ASSERT_TRUE(old.script("INSERT INTO pending VALUES(1,5,'five'),(1,6,'six'),(2,1,'other')"));
    ASSERT_TRUE(old.script("PRAGMA user_version=3"));
  }
  auto store = *Store::open(file);
  const auto taken = store->take_up(campaign(7), Store::SeedWanted::any);
  ASSERT_TRUE(taken && taken->has_value());
  ASSERT_EQ((*taken)->pending.size(), 2u);
  EXPECT_EQ((*taken)->pending[0], std::pair(std::uint64_t{5}, std::string("five")));
  EXPECT_EQ((*taken)->pending[1], std::pair(std::uint64_t{6}, std::string("six")));
}

TEST_F(StoreTest, MigratesAStoreOfVersion2) {
  {
    auto store = *Store::open(file);
    Database& old = store->database();
    ASSERT_TRUE(old.script(kBackToVersion4));
    ASSERT_TRUE(old.script(R"(
      ALTER TABLE findings DROP COLUMN failing;
      ALTER TABLE findings DROP COLUMN passing;
      INSERT INTO findings VALUES(1,'s','race','fasttrack','m',1,4);)"));
    ASSERT_TRUE(old.script(kPendingOfVersion3));
    ASSERT_TRUE(old.script("PRAGMA user_version=2"));
  }
  auto store = *Store::open(file);
  Database& database = store->database();
  EXPECT_EQ(*database.one("PRAGMA user_version"), static_cast<std::uint64_t>(kStoreVersion));
  EXPECT_EQ(*database.one("SELECT count + failing + passing FROM findings"), 4u);
}

}  // namespace
}  // namespace heddle::campaign
