#include "campaign/species.h"

#include <gtest/gtest.h>

namespace heddle::campaign {
namespace {

TEST(Species, FollowsChaosFormula) {
  // 10 seen, 4 in one run, 2 in two, 20 runs: 19/20 * 4*3 / (2*3) = 1.9
  const SpeciesEstimate estimate = estimate_species({10, 4, 2, 20});
  EXPECT_NEAR(estimate.unseen, 1.9, 1e-9);
  EXPECT_LT(estimate.low, 1.9);
  EXPECT_GT(estimate.high, 1.9);
  EXPECT_NEAR(estimate.chance_of_new, 0.2, 1e-9);
}

TEST(Species, WithNothingRareExpectsNothing) {
  EXPECT_EQ(unseen_text(estimate_species({10, 0, 0, 20})), "nothing suggests that there are more");
  EXPECT_EQ(unseen_text(estimate_species({10, 1, 0, 20})),
            "probably all there are (3 more at most)");
}

TEST(Species, SpeaksInWords) {
  EXPECT_EQ(unseen_text({4.2, 1.1, 14.9, 0.1}), "about 4 more are likely unseen (1 to 15)");
}

}  // namespace
}  // namespace heddle::campaign
