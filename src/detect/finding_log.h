// Findings of a run, one per pair of places however often seen, in an area of fixed size. Threads may report at the same time.
#pragma once

#include <cstdint>
#include <span>

#include "base/spin_lock.h"
#include "contract/finding.h"

namespace heddle {

class FindingLog {
 public:
  // Turns what detectors work with (addresses, in a live run) into identities that survive it.
  using Translate = void (*)(Finding& finding);

  constexpr FindingLog() = default;

  // `area` and the two counts outlast the run; translate may be null.
  void begin_run(std::span<Finding> area, std::uint32_t* count, std::uint64_t* dropped,
                 Translate translate);

  void report(const Finding& finding);

 private:
  static constexpr std::size_t kKeys = 2048;  // a power of two, well above any area

  SpinLock lock_;
  std::span<Finding> area_;
  std::uint32_t* count_ = nullptr;
  std::uint64_t* dropped_ = nullptr;
  Translate translate_ = nullptr;
  std::uint64_t keys_[kKeys] = {};  // hashes of what was reported; 0: free
};

// The same for the two accesses in either order.
std::uint64_t finding_key(const Finding& finding);

}  // namespace heddle
