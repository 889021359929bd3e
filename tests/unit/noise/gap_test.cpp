#include "noise/gap.h"

#include <gtest/gtest.h>

#include <cmath>

namespace heddle {
namespace {

constexpr int kDraws = 200'000;

TEST(Gap, IsZeroAtFrequency1000AndNeverEndsAtFrequency0) {
  Prng prng(1);
  Gap gap;
  EXPECT_EQ(gap.draw(prng), Gap::kNever);
  gap.set_frequency(1000);
  EXPECT_EQ(gap.draw(prng), 0u);
  gap.set_frequency(0);
  EXPECT_EQ(gap.draw(prng), Gap::kNever);
}

TEST(Gap, HasTheMeanAndSpreadOfADrawPerPlace) {
  for (const unsigned frequency : {1u, 20u, 150u, 500u, 900u, 999u}) {
    Prng prng(7);
    Gap gap;
    gap.set_frequency(frequency);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double value = static_cast<double>(gap.draw(prng));
      sum += value;
      squares += value * value;
    }
    const double p = frequency / 1000.0;
    const double mean = (1 - p) / p;
    const double deviation = std::sqrt(1 - p) / p;
    EXPECT_NEAR(sum / kDraws, mean, 6 * deviation / std::sqrt(kDraws)) << "frequency " << frequency;
    const double spread = std::sqrt(squares / kDraws - (sum / kDraws) * (sum / kDraws));
    EXPECT_NEAR(spread, deviation, 0.05 * deviation + 0.01) << "frequency " << frequency;
  }
}

TEST(Gap, IsGeometricValueByValue) {
  Prng prng(11);
  Gap gap;
  gap.set_frequency(300);
  int seen[12] = {};
  for (int i = 0; i < kDraws; ++i) {
    const std::uint64_t value = gap.draw(prng);
    if (value < 12) ++seen[value];
  }
  for (int value = 0; value < 12; ++value) {
    const double p = 0.3 * std::pow(0.7, value);
    const double tolerance = 6 * std::sqrt(p * (1 - p) / kDraws);
    EXPECT_NEAR(static_cast<double>(seen[value]) / kDraws, p, tolerance) << "gap " << value;
  }
}

}  // namespace
}  // namespace heddle
