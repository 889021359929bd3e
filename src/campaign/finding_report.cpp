#include "campaign/finding_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <span>

namespace heddle::campaign {

namespace {

std::span<const SiteId> sites_of(const StackRecord& stack) {
  return {stack.frames, std::min<std::size_t>(stack.frame_count, kStackFrames)};
}

// The frames of a stack by name, inlined functions included. Runs of the same line (a lambda in its own call) show once.
void add_frames(std::span<const SiteId> stack, const SiteNames& sites, Evidence& evidence) {
  std::vector<std::string>& frames = evidence.frames;
  bool own = false;
  for (const SiteId site : stack) {
    const std::vector<std::string> places = sites.places(site);
    for (std::string& frame : sites.frames(site)) {
      if (!own && std::ranges::find(places, frame) != places.end()) {
        own = true;
        evidence.first_own = frames.size();
      }
      if (frames.empty() || frames.back() != frame) frames.push_back(std::move(frame));
    }
  }
}

std::vector<std::string> locks_of(const StackRecord& stack, SiteNames& sites) {
  std::vector<std::string> locks = lock_names(stack, sites);
  for (std::size_t i = 0; i < locks.size(); ++i) {
    locks[i] += fmt::format(", taken in {}", sites.name(stack.lock_sites[i]));
  }
  return locks;
}

// Who made a block or a thread is asked of the program: what std::vector and std::thread call for it says nothing.
void begin_with_own(Evidence& evidence) {
  evidence.frames.erase(evidence.frames.begin(),
                        evidence.frames.begin() + static_cast<std::ptrdiff_t>(evidence.first_own));
  evidence.first_own = 0;
}

const StackRecord* find_stack(const RunRecord& record, std::uint16_t number) {
  if (number == 0 || number > record.stacks.size()) return nullptr;
  return &record.stacks[number - 1];
}

Evidence side(std::string what, const StackRecord* stack, SiteId place, SiteNames& sites) {
  Evidence evidence;
  evidence.what = std::move(what);
  if (stack != nullptr) {
    add_frames(sites_of(*stack), sites, evidence);
    evidence.locks = locks_of(*stack, sites);
  }
  if (evidence.frames.empty() && place.value != 0) evidence.frames = sites.frames(place);
  return evidence;
}

std::string what_of(FindingKind kind, EventKind event, bool first) {
  switch (kind) {
    case FindingKind::race:
    case FindingKind::atomicity:
      return std::string(access_text(event));
    case FindingKind::lock_order:
      return "lock taken while another is held";
    default:
      return first ? "before that" : "done";
  }
}

void add_creation(std::vector<Evidence>& list, const RunRecord& record, ThreadId thread,
                  std::uint16_t stack, SiteNames& sites) {
  if (thread.value == 0 || thread.value >= record.threads.size()) return;
  const SiteId place = record.threads[thread.value].create_site;
  Evidence created;
  created.what = fmt::format("{} was created", thread_text(record, thread, sites));
  std::vector<SiteId> calls{place};
  if (const StackRecord* const known = find_stack(record, stack)) {
    calls.insert(calls.end(), sites_of(*known).begin(), sites_of(*known).end());
  }
  add_frames(calls, sites, created);
  begin_with_own(created);
  if (!created.frames.empty()) list.push_back(std::move(created));
}

}  // namespace

std::string thread_text(const RunRecord& record, ThreadId thread, const SiteNames& sites) {
  if (thread.value == 0) return "the main thread";
  if (thread.value >= record.threads.size()) return fmt::format("thread {}", thread.value);
  const ThreadRecord& known = record.threads[thread.value];
  const std::string name(known.name, std::find(known.name, std::end(known.name), '\0'));
  const std::string function = sites.function(known.start_routine);
  if (!name.empty()) return fmt::format("thread {} '{}'", thread.value, name);
  if (!function.empty()) return fmt::format("thread {} ({})", thread.value, function);
  return fmt::format("thread {}", thread.value);
}

std::string object_text(ObjectId object, const SiteNames& sites) {
  switch (object_kind(object)) {
    case ObjectKind::global: {
      const std::string name = sites.variable(object);
      return name.empty() ? "a global" : fmt::format("'{}'", name);
    }
    case ObjectKind::heap:
      return fmt::format("a heap block (byte {})", object.value & 0xff'ffff);
    case ObjectKind::stack: {
      const std::string name = sites.variable(object);
      if (!name.empty()) return fmt::format("'{}'", name);
      const std::uint64_t owner = (object.value >> 44) & 0xffff;
      return owner == 0 ? "the main thread's stack" : fmt::format("the stack of thread {}", owner);
    }
    default:
      return "mapped memory";
  }
}

std::vector<std::string> lock_names(const StackRecord& stack, SiteNames& sites) {
  std::vector<std::string> names;
  const std::size_t count = std::min<std::size_t>(stack.lock_count, kStackLocks);
  for (std::size_t i = 0; i < count; ++i) {
    const bool to_read = (stack.shared_locks >> i & 1) != 0;
    names.push_back(object_text(stack.locks[i], sites) + (to_read ? " to read" : ""));
  }
  return names;
}

std::string_view access_text(EventKind kind) {
  if (kind == EventKind::freed) return "free";
  const bool writes = is_memory_write(kind);
  if (is_atomic(kind)) return writes ? "atomic write" : "atomic read";
  return writes ? "write" : "read";
}

std::span<const SiteId> calls_of(const RunRecord& record, std::uint16_t stack) {
  const StackRecord* const known = find_stack(record, stack);
  return known == nullptr ? std::span<const SiteId>() : sites_of(*known);
}

std::vector<Evidence> evidence_of(const Finding& finding, const RunRecord& record,
                                  SiteNames& sites) {
  std::vector<Evidence> list;
  if (finding.first_site.value != 0) {
    list.push_back(side(fmt::format("{} by {}", what_of(finding.kind, finding.first_kind, true),
                                    thread_text(record, finding.first_thread, sites)),
                        find_stack(record, finding.first_stack), finding.first_site, sites));
  }
  list.push_back(side(fmt::format("{} by {}", what_of(finding.kind, finding.second_kind, false),
                                  thread_text(record, finding.second_thread, sites)),
                      find_stack(record, finding.second_stack), finding.second_site, sites));
  if (const StackRecord* const block = find_stack(record, finding.block_stack)) {
    Evidence allocated =
        side(fmt::format("{} was allocated", object_text(finding.object, sites)), block, {}, sites);
    allocated.locks.clear();
    begin_with_own(allocated);
    list.push_back(std::move(allocated));
  }
  add_creation(list, record, finding.first_thread, finding.first_thread_stack, sites);
  if (finding.second_thread != finding.first_thread) {
    add_creation(list, record, finding.second_thread, finding.second_thread_stack, sites);
  }
  return list;
}

}  // namespace heddle::campaign
