// Every detector by name, a row each. Names are the papers' and stored on disk: a changed algorithm gets a new name.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "contract/finding.h"
#include "detect/detector.h"

namespace heddle {

using FindingKinds = std::uint32_t;  // a bit per FindingKind
constexpr FindingKinds bit(FindingKind kind) { return 1u << static_cast<unsigned>(kind); }

// `tracks`: it takes all events without turns, from threads that run in parallel, and the same access made again before its
// thread releases anything tells it nothing. That is FastTrack.
enum class Memory : std::uint8_t { ignores, watches, tracks };

struct DetectorRow {
  std::string_view name;
  std::string_view summary;  // one line for `heddle list detectors`, with the source
  FindingKinds finds;
  Memory memory;            // what it needs of plain accesses (level memory)
  bool default_for_kinds;   // is switched on by --fail-on with one of its kinds
  Detector& (*instance)();  // the one object
};

std::span<const DetectorRow> detector_catalog();

// Null if there is no such name.
const DetectorRow* find_detector(std::string_view name);

// RunPlan::detectors has a bit per row.
using DetectorMask = std::uint32_t;
constexpr DetectorMask bit_of_row(std::size_t row) { return DetectorMask{1} << row; }
// Those that answer for these kinds unless the user names others.
DetectorMask detectors_for(FindingKinds kinds);

}  // namespace heddle
