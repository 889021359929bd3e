#include "noise/catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace heddle {
namespace {

TEST(NoiseCatalog, FindsEveryRowByKindAndName) {
  for (const NoiseRow& row : noise_catalog()) {
    EXPECT_EQ(find_noise(row.kind, row.name), &row) << row.name;
  }
  EXPECT_EQ(find_noise(NoiseKind::placement, "sleep"), nullptr);
  EXPECT_EQ(find_noise(NoiseKind::seeding, "random-all"), nullptr);
}

TEST(NoiseCatalog, RowsAreCompleteAndTheirNamesFitTheSettings) {
  std::set<std::string> names;
  for (const NoiseRow& row : noise_catalog()) {
    EXPECT_LT(row.name.size(), sizeof(NoiseSettings{}.placement)) << row.name;
    EXPECT_FALSE(row.summary.empty()) << row.name;
    EXPECT_FALSE(row.source.empty()) << row.name;
    EXPECT_EQ(row.summary.find('\n'), std::string_view::npos) << row.name;
    EXPECT_TRUE(names.insert(std::string(row.name)).second) << row.name << " appears twice";
    EXPECT_EQ(row.kind == NoiseKind::placement, row.placement != nullptr) << row.name;
    EXPECT_EQ(row.kind == NoiseKind::seeding, row.role != SeedingRole::none) << row.name;
    const bool can_be_basic = row.role == SeedingRole::basic || row.role == SeedingRole::either;
    EXPECT_TRUE(!can_be_basic || row.seeding != nullptr) << row.name;
    EXPECT_EQ(row.kind == NoiseKind::seeding, !unit_name(row.unit).empty()) << row.name;
    EXPECT_LE(row.usual.low, row.usual.high) << row.name;
    EXPECT_LE(row.usual.high, row.most) << row.name;
  }
}

}  // namespace
}  // namespace heddle
