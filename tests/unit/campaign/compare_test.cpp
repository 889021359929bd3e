#include <gtest/gtest.h>

#include <set>

#include "campaign/compare/grid.h"
#include "campaign/compare/interval.h"
#include "campaign/compare/measured.h"
#include "campaign/compare/progress_file.h"
#include "host/files.h"

namespace heddle::campaign {
namespace {

TEST(PaperGrid, HasThe81ConfigurationsOfFiedorEtAl) {
  const std::vector<Configuration> grid = paper_grid();
  EXPECT_EQ(grid.size(), 81u);
  std::set<std::string> different;
  for (const Configuration& one : grid) different.insert(noise_text(one.noise.settings));
  EXPECT_EQ(different.size(), 81u);
  EXPECT_EQ(grid.front().text, "none");
}

TEST(PaperGrid, PutsStrongNoiseOnOneSideOfReadWriteAndWeakOnTheOther) {
  unsigned strong_writes = 0;
  unsigned strong_reads = 0;
  for (const Configuration& one : paper_grid()) {
    const NoiseSettings& noise = one.noise.settings;
    if (std::string_view(noise.placement) != "read/write") continue;
    EXPECT_TRUE(noise.frequency == 150 || noise.frequency == 300);
    EXPECT_EQ(noise.reads.strength.low * noise.writes.strength.low,
              std::string_view(noise.reads.name) == "yield" ? 1000u : 40u);
    (noise.writes.strength.low > noise.reads.strength.low ? strong_writes : strong_reads)++;
  }
  EXPECT_EQ(strong_writes, 8u);
  EXPECT_EQ(strong_reads, 8u);
}

TEST(Grid, IsReadALineAConfigurationWithRemarks) {
  const auto grid = parse_grid("# what helped before\nnone\n\n seeding=yield:5 # weak\n", "g");
  ASSERT_TRUE(grid) << grid.error().sentence;
  ASSERT_EQ(grid->size(), 2u);
  EXPECT_EQ((*grid)[1].text, "seeding=yield:5");
}

TEST(Grid, NamesTheLineThatIsWrong) {
  const auto grid = parse_grid("none\nseeding=slep\n", "mine");
  ASSERT_FALSE(grid);
  EXPECT_TRUE(grid.error().sentence.starts_with("mine, line 2: "));
  EXPECT_NE(grid.error().sentence.find("sleep"), std::string::npos);
  EXPECT_FALSE(parse_grid("# nothing\n", "mine"));
}

// Newcombe 1998, Table I, method 3.
TEST(Wilson, GivesThePublishedIntervals) {
  const auto near = [](Interval interval, double low, double high) {
    EXPECT_NEAR(interval.low, low, 5e-5);
    EXPECT_NEAR(interval.high, high, 5e-5);
  };
  near(wilson_95(81, 263), 0.2553, 0.3662);
  near(wilson_95(15, 148), 0.0624, 0.1605);
  near(wilson_95(0, 20), 0.0, 0.1611);
  near(wilson_95(1, 29), 0.0061, 0.1718);
  EXPECT_EQ(wilson_95(20, 20).high, 1.0);
  EXPECT_EQ(wilson_95(0, 0).high, 1.0);
}

Measured measured(std::uint64_t number, std::uint64_t failing, double seconds) {
  Measured one;
  one.number = number;
  one.configuration = "none";
  one.runs = 10;
  one.failing_runs = failing;
  one.seconds = seconds;
  one.failures = {Json{{"signature", "x"}, {"count", failing}}};
  return one;
}

TEST(Measured, IsSortedByRateThenByTimePerFailureThenAsGiven) {
  std::vector<Measured> all{measured(1, 0, 1), measured(2, 3, 2), measured(3, 3, 1),
                            measured(4, 5, 9), measured(5, 0, 1)};
  sort_measured(all);
  std::vector<std::uint64_t> order;
  for (const Measured& one : all) order.push_back(one.number);
  EXPECT_EQ(order, (std::vector<std::uint64_t>{4, 3, 2, 1, 5}));
}

class ProgressTest : public testing::Test {
 protected:
  TemporaryDirectory directory_ = *TemporaryDirectory::create("compare");
  std::filesystem::path path_ = directory_.path() / "compare.jsonl";
  const Json about_{{"seed", 7u}, {"runs", 10u}};
};

TEST_F(ProgressTest, ComesBackAsItWasWritten) {
  ProgressFile written(path_);
  ASSERT_TRUE(written.begin(about_));
  ASSERT_TRUE(written.add(measured(1, 2, 0.5)));
  ASSERT_TRUE(written.add(measured(2, 0, 1.5)));
  EXPECT_EQ(ProgressFile::seed_in(path_), 7u);
  ProgressFile read(path_);
  const auto back = read.resume(about_);
  ASSERT_TRUE(back) << back.error().sentence;
  ASSERT_EQ(back->size(), 2u);
  EXPECT_EQ(measured_json((*back)[0]), measured_json(measured(1, 2, 0.5)));
  ASSERT_TRUE(read.add(measured(3, 1, 1)));
  EXPECT_EQ(ProgressFile(path_).resume(about_)->size(), 3u);
}

TEST_F(ProgressTest, RefusesAnotherComparisonAndSaysWhatDiffers) {
  ASSERT_TRUE(ProgressFile(path_).begin(about_));
  const auto other = ProgressFile(path_).resume(Json{{"seed", 7u}, {"runs", 20u}});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().sentence.find("runs"), std::string::npos);
}

TEST_F(ProgressTest, RefusesWhatIsMissingCutOrDamaged) {
  EXPECT_FALSE(ProgressFile(path_).resume(about_));
  ProgressFile file(path_);
  ASSERT_TRUE(file.begin(about_));
  ASSERT_TRUE(file.add(measured(1, 2, 0.5)));
  const std::string whole = *read_file(path_);
  for (const std::size_t length : {std::size_t{0}, std::size_t{5}, whole.size() - 10}) {
    ASSERT_TRUE(write_file(path_, whole.substr(0, length)));
    const auto cut = ProgressFile(path_).resume(about_);
    EXPECT_FALSE(cut) << length;
  }
  ASSERT_TRUE(write_file(path_, "{\"format\":\"other\"}\n"));
  EXPECT_FALSE(ProgressFile(path_).resume(about_));
}

}  // namespace
}  // namespace heddle::campaign
