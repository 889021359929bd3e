#include "runtime/memory_shares.h"

#include <gtest/gtest.h>

namespace heddle::runtime {
namespace {

TEST(MemoryShares, NeverAddUpToMoreThanTheWhole) {
  for (const EngineKind engine : {EngineKind::controlled, EngineKind::free}) {
    for (const std::uint32_t detectors : {0u, 1u}) {
      for (const std::uint32_t metrics : {0u, 1u}) {
        RunPlan plan{};
        plan.engine = engine;
        plan.detectors = detectors;
        plan.metrics = metrics;
        plan.detector_memory = std::uint64_t{4} << 20;
        const MemoryShares shares = memory_shares(plan);
        const std::uint64_t sum =
            shares.names + shares.cells + shares.coverage + shares.contexts + shares.detectors;
        EXPECT_LE(sum, plan.detector_memory);
        EXPECT_GT(shares.names, 0u);
        EXPECT_EQ(shares.detectors > 0, detectors != 0);
        EXPECT_EQ(shares.coverage > 0, metrics != 0);
      }
    }
  }
}

}  // namespace
}  // namespace heddle::runtime
