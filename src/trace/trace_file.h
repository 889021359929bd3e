// The trace file: a header, then tables of plain records, each as it lies in the control block (docs/formats/trace.md).
// Little-endian, as all of heddle's machines are.
#pragma once

#include <cstdint>
#include <type_traits>

#include "contract/control_block.h"
#include "contract/event.h"

namespace heddle {

inline constexpr std::uint64_t kTraceMagic = 0x3145434152544448ULL;  // "HDTRACE1"
inline constexpr std::uint32_t kTraceVersion = 1;

struct TraceHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t event_size;   // sizeof(Event): a reader of another version can still skip
  std::uint64_t events_seen;  // in the run
  std::uint64_t event_count;  // in this file: the last ones
  std::uint32_t thread_count;
  std::uint32_t thread_size;
  std::uint32_t module_count;
  std::uint32_t module_size;
  std::uint32_t heap_count;
  std::uint32_t heap_size;
  std::uint32_t calls_count;  // these two were 0 before there were any
  std::uint32_t calls_size;
  // then ThreadRecord[thread_count], ModuleRecord[module_count], HeapRecord[heap_count], Event[event_count],
  // AllocationCalls[calls_count]
};
static_assert(sizeof(TraceHeader) == 64);
static_assert(std::has_unique_object_representations_v<TraceHeader>);

}  // namespace heddle
