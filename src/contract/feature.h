// A behaviour that was covered: an opaque 64-bit number, and what it is made of. Crosses the seam in a CoverageArea.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/id.h"
#include "contract/ids.h"

namespace heddle {

using Feature = Id<struct FeatureTag, std::uint64_t>;

// How a part of a task is to be read. Stored: append only.
enum class PartKind : std::uint8_t {
  none = 0,
  place = 1,     // SiteId
  function = 2,  // SiteId inside it
  object = 3,    // ObjectId; of a heap block or a stack, an AbstractObject has the same id
  thread = 4,    // AbstractThread::id
  word = 5,      // position in the metric's list of words
};

// One coverage task. What it means is in coverage/catalog.h, by metric.
inline constexpr std::size_t kMostParts = 10;
struct TaskRecord {
  Feature feature;
  std::uint8_t metric;  // row in coverage/catalog.h
  std::uint8_t part_count;
  PartKind kinds[kMostParts];
  std::uint32_t weight;
  std::uint64_t parts[kMostParts];
};
static_assert(sizeof(TaskRecord) == 104);
static_assert(std::has_unique_object_representations_v<TaskRecord>);

// A thread by what it does (001 3.3): its start routine and the first functions it called, since its start or since it came
// back from waiting for work.
inline constexpr std::size_t kFirstCalls = 20;
struct AbstractThread {
  std::uint64_t id;
  SiteId start;  // 0: main
  std::uint64_t call_count;
  SiteId calls[kFirstCalls];
};

// The calls that led to an allocation, innermost first; 0 ends them.
inline constexpr std::size_t kAllocationCalls = 16;
struct AllocationCalls {
  SiteId sites[kAllocationCalls];
};

// An object by where it came from: a block by size and place of allocation, a variable on a stack by the thread's start routine.
struct AbstractObject {
  ObjectId id;
  SiteId site;
  std::uint64_t size;
  std::uint64_t offset;
  AllocationCalls calls;  // of the first such block that was seen
};

struct FeatureSlot {
  std::uint64_t feature;  // 0: free
  std::uint64_t epoch;    // when it was last covered
};

// The map begins small, so that a run touches few pages of it, and doubles. A map of n slots lies at kFirstSlots less than n, which
// leaves the one before it alone.
inline constexpr std::size_t kFirstSlots = 128;
inline constexpr std::size_t kFeatureSlots = std::size_t{1} << 16;  // at most
inline constexpr std::size_t kCoveredCapacity = kFeatureSlots / 4 * 3;
inline constexpr std::size_t kAbstractThreads = 1024;
inline constexpr std::size_t kAbstractObjects = 4096;

// The map of covered features. It outlives the runs of one worker: what is in it has been described to the tool.
struct CoverageArea {
  AbstractThread threads[kAbstractThreads];
  AbstractObject objects[kAbstractObjects];
  std::uint64_t covered[kCoveredCapacity];  // features of this run, in the order in which they came
  std::uint64_t epoch;                      // tool: another one for each run, never 0
  std::uint64_t covered_count;
  std::uint64_t described_count;
  std::uint64_t thread_count;  // these two grow from run to run
  std::uint64_t object_count;
  std::uint64_t feature_count;  // slots in use
  std::uint64_t slot_count;     // of the map as it is now; 0: kFirstSlots
  std::uint64_t dropped;        // tasks that did not fit
  FeatureSlot maps[2 * kFeatureSlots - kFirstSlots];
  TaskRecord described[kCoveredCapacity];  // those that were in no run before
};

}  // namespace heddle
