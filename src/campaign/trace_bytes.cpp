#include "campaign/trace_bytes.h"

#include <fmt/core.h>

#include <cstring>

#include "trace/trace_file.h"

namespace heddle::campaign {

namespace {

template <class T>
void append(std::string& bytes, const std::vector<T>& records) {
  if (!records.empty()) {
    bytes.append(reinterpret_cast<const char*>(records.data()), records.size() * sizeof(T));
  }
}

// Takes `count` records off the front; false if there are not so many.
template <class T>
bool take(std::string_view& bytes, std::uint64_t count, std::vector<T>& records) {
  if (count > bytes.size() / sizeof(T)) return false;
  records.resize(count);
  if (count > 0) std::memcpy(records.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return true;
}

}  // namespace

std::string trace_bytes(const RunCapture& capture) {
  TraceHeader header{};
  header.magic = kTraceMagic;
  header.version = kTraceVersion;
  header.event_size = sizeof(Event);
  header.events_seen = capture.trace_count;
  header.event_count = capture.trace.size();
  header.thread_count = static_cast<std::uint32_t>(capture.threads.size());
  header.thread_size = sizeof(ThreadRecord);
  header.module_count = static_cast<std::uint32_t>(capture.modules.size());
  header.module_size = sizeof(ModuleRecord);
  header.heap_count = static_cast<std::uint32_t>(capture.heap.size());
  header.heap_size = sizeof(HeapRecord);
  header.calls_count = static_cast<std::uint32_t>(capture.allocation_calls.size());
  header.calls_size = sizeof(AllocationCalls);
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  append(bytes, capture.threads);
  append(bytes, capture.modules);
  append(bytes, capture.heap);
  append(bytes, capture.trace);
  append(bytes, capture.allocation_calls);
  return bytes;
}

Result<TraceContents> parse_trace(const std::string& bytes, const std::string& where) {
  TraceHeader header{};
  std::string_view rest(bytes);
  if (rest.size() < sizeof header) {
    return Error{
        fmt::format("'{}' is too short for a trace; run heddle again to make one.", where)};
  }
  std::memcpy(&header, rest.data(), sizeof header);
  rest.remove_prefix(sizeof header);
  if (header.magic != kTraceMagic) {
    return Error{
        fmt::format("'{}' is not a heddle trace; name the file 'trace' of a failure's "
                    "folder.",
                    where)};
  }
  if (header.version != kTraceVersion || header.event_size != sizeof(Event) ||
      header.thread_size != sizeof(ThreadRecord) || header.module_size != sizeof(ModuleRecord) ||
      header.heap_size != sizeof(HeapRecord) ||
      (header.calls_count > 0 && header.calls_size != sizeof(AllocationCalls))) {
    return Error{
        fmt::format("'{}' is a trace of another version of heddle (format {}); replay its "
                    "failure to make a new one.",
                    where, header.version)};
  }
  TraceContents contents;
  contents.events_seen = header.events_seen;
  if (!take(rest, header.thread_count, contents.threads) ||
      !take(rest, header.module_count, contents.modules) ||
      !take(rest, header.heap_count, contents.heap) ||
      !take(rest, header.event_count, contents.events) ||
      !take(rest, header.calls_count, contents.allocation_calls)) {
    return Error{fmt::format("'{}' is cut off; replay its failure to make a new one.", where)};
  }
  return contents;
}

}  // namespace heddle::campaign
