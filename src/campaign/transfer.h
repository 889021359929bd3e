// A schedule carried over to another build of its program. A decision is known by a count of scheduling points, which any
// change to the program shifts; so each is stored with what its thread was about to do, and found again by that.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/crew.h"
#include "campaign/learned.h"

namespace heddle::campaign {

// The operation before which a decision was made, in words that outlive a build: no line numbers, no offsets.
struct DecisionPlace {
  std::string function;
  std::string object;
  EventKind kind{};
  std::uint32_t visit = 0;  // how often its thread had done the same before

  friend bool operator==(const DecisionPlace&, const DecisionPlace&) = default;
};

// One for each decision; empty where the trace does not reach back to the beginning, or where there are so many
// decisions that nobody would find them again.
std::vector<DecisionPlace> places_of(std::span<const Decision> decisions,
                                     const RunCapture& capture);

// A run with kPlanRecordTrace and kPlanRecordPoints: what it did, and every scheduling point as a decision.
// Returns the count at which `thread` came to the place, or the nearest to it that there is.
std::optional<std::uint64_t> find_place(const DecisionPlace& place, ThreadId thread,
                                        const RunCapture& capture);

struct TransferRequest {
  RunInput input;  // follows the decisions, on the build they were recorded on
  std::vector<DecisionPlace> places;
  std::optional<std::chrono::steady_clock::time_point> until;
};

struct Transferred {
  RunInput input;         // follows the decisions found again, with what was learned of this build
  std::size_t found = 0;  // of its decisions
  Learned learned;
};

// Learns this build's scheduling points by a few runs, then finds the decisions one after the other: where the second
// is depends on the first.
Transferred transfer(Crew& crew, const TransferRequest& request);

}  // namespace heddle::campaign
