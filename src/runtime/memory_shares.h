// How --memory is divided among what grows with what the program does. The parts add up to no more than the whole.
#pragma once

#include <cstdint>

#include "contract/run_plan.h"

namespace heddle::runtime {

struct MemoryShares {
  std::uint64_t
      names;  // heap blocks and, in the controlled engine, clocks of objects (platform/memory.h)
  std::uint64_t cells;     // classification of accesses
  std::uint64_t coverage;  // metrics
  std::uint64_t contexts;  // the stacks that reports show
  std::uint64_t detectors;
};

// Sixteenths. What nobody needs in this run goes to the detectors; without any, the others have twice as much.
constexpr MemoryShares memory_shares(const RunPlan& plan) {
  const bool controlled = plan.engine == EngineKind::controlled;
  const std::uint64_t part = plan.detector_memory / (plan.detectors != 0 ? 16 : 8);
  MemoryShares shares{};
  shares.names = controlled ? 4 * part : 2 * part;
  shares.cells = controlled ? 2 * part : 0;
  shares.coverage = plan.metrics != 0 ? 2 * part : 0;
  if (plan.detectors == 0) return shares;
  shares.contexts = part;
  // For the directory of fasttrack's cells a part is left: a page of it for each page of cells at most.
  const std::uint64_t others = shares.names + shares.cells + shares.coverage + shares.contexts;
  shares.detectors = 15 * part - others;
  return shares;
}

}  // namespace heddle::runtime
