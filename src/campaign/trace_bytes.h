// A run's trace as the bytes of a trace file, and back (docs/formats/trace.md).
#pragma once

#include <string>
#include <vector>

#include "campaign/run_record.h"
#include "host/result.h"

namespace heddle::campaign {

std::string trace_bytes(const RunCapture& capture);

struct TraceContents {
  std::uint64_t events_seen = 0;
  std::vector<ThreadRecord> threads;
  std::vector<ModuleRecord> modules;
  std::vector<HeapRecord> heap;
  std::vector<AllocationCalls> allocation_calls;
  std::vector<Event> events;
};
// `where` is for the sentence.
Result<TraceContents> parse_trace(const std::string& bytes, const std::string& where);

}  // namespace heddle::campaign
