#include "runtime/detection.h"

#include "detect/detector_set.h"
#include "runtime/context.h"
#include "runtime/coverage.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/futex.h"
#include "runtime/platform/memory.h"
#include "runtime/thread.h"

namespace heddle::runtime {

bool g_detecting = false;
bool g_detecting_memory = false;
bool g_repeats_tell_nothing = false;

namespace {

constinit DetectorSet g_set;
bool g_watched =
    false;  // by detectors. Without any their set is not touched: a run pays for each page
constinit FindingLog g_log;
constinit FutexLock g_turn;

// Module numbers stay far below the top bit; addresses end below bit 47, contexts are between.
constexpr std::uint64_t kToFind = std::uint64_t{1} << 63;
constexpr unsigned kContextShift = 47;
constexpr std::uint64_t kAddress = (std::uint64_t{1} << kContextShift) - 1;

bool is_to_find(SiteId site) { return (site.value & kToFind) != 0; }
ContextNumber context_of(SiteId site) {
  return is_to_find(site) ? static_cast<ContextNumber>(site.value >> kContextShift & 0xffff)
                          : ContextNumber{0};
}

// Puts a stack into the control block: the place, then the calls of that context. 0 if there is no room.
std::uint16_t keep_stack(SiteId place, ContextNumber number) {
  const Context* const context = find_context(number);
  if (context == nullptr || g_control->stack_count >= kStackCapacity) return 0;
  StackRecord& stack = g_control->stacks[g_control->stack_count++];
  stack.frame_count = 0;
  if (place.value != 0) stack.frames[stack.frame_count++] = place;
  for (std::size_t i = 0; i < context->frame_count; ++i) {
    const SiteId call = site_of(context->frames[i]);
    if (call.value != 0) stack.frames[stack.frame_count++] = call;
  }
  stack.lock_count = context->lock_count;
  for (std::size_t i = 0; i < context->lock_count; ++i) {
    stack.locks[i] = object_of(reinterpret_cast<const void*>(context->locks[i]));
    stack.lock_sites[i] = found_site(context->lock_sites[i]);
  }
  return static_cast<std::uint16_t>(g_control->stack_count);
}

void translate(Finding& finding) {
  const ContextNumber first = context_of(finding.first_site);
  const ContextNumber second = context_of(finding.second_site);
  finding.first_site = found_site(finding.first_site);
  finding.second_site = found_site(finding.second_site);
  finding.begun_site = found_site(finding.begun_site);
  finding.first_stack = keep_stack(finding.first_site, first);
  finding.second_stack = keep_stack(finding.second_site, second);
  finding.first_thread_stack = keep_stack({}, creation_context(finding.first_thread));
  finding.second_thread_stack = keep_stack({}, creation_context(finding.second_thread));
  const auto* const address = reinterpret_cast<const void*>(finding.object.value);
  if (const HeapBlock* const block = find_block(address)) {
    finding.block_stack =
        keep_stack(block->site, block_context(reinterpret_cast<const void*>(block->start)));
  }
  finding.object = object_of(address);
}

// Blocks are known by where they were allocated, threads by where they were created.
void note_contexts(const Shown& shown, ContextNumber context) {
  if (shown.kind == EventKind::allocate) note_block_context(shown.object, context);
  if (shown.kind == EventKind::thread_create) {
    note_creation_context(ThreadId{static_cast<std::uint16_t>(shown.argument)}, context);
  }
}

void show_edge(EventKind kind, MemoryOrder order, const void* object, void* caller) {
  const ThreadState& thread = current_thread();
  if (thread.in_runtime || (controlled() && !thread.has_control)) return;
  Shown shown{kind, thread.id, object};
  shown.site = site_to_find(caller);
  shown.order = order;
  if (!controlled()) hold_detectors();
  show_detectors(shown);
  if (!controlled()) let_detectors_go();
}

}  // namespace

void show_released(const void* object, void* caller) {
  // Not a store: what was released there before is not taken back.
  if (g_detecting) show_edge(EventKind::atomic_rmw, MemoryOrder::release, object, caller);
}
void show_acquired(const void* object, void* caller) {
  if (g_detecting) show_edge(EventKind::atomic_load, MemoryOrder::acquire, object, caller);
}

SiteId found_site(SiteId site) {
  return is_to_find(site) ? site_of(reinterpret_cast<const void*>(site.value & kAddress)) : site;
}

SiteId site_to_find(const void* return_address) {
  return SiteId{reinterpret_cast<std::uint64_t>(return_address) | kToFind};
}

static void begin_detectors(const RunPlan& plan) {
  g_log.begin_run(g_control->findings, &g_control->finding_count, &g_control->findings_dropped,
                  translate);
  // A sixteenth of the memory is for the stacks that reports show.
  const std::uint64_t contexts = plan.detector_memory / 16;
  begin_contexts(map_memory, contexts);
  g_set.begin_run({plan.detectors, map_memory, plan.detector_memory - contexts}, g_log);
}

void begin_detection() {
  const RunPlan& plan = g_control->plan;
  const bool covers_memory = begin_coverage();
  g_detecting = plan.detectors != 0 || g_covering;
  g_detecting_memory = false;
  if (!g_detecting) return;
  g_control->stack_count = 0;
  g_control->finding_count = 0;
  g_control->findings_dropped = 0;
  g_watched = plan.detectors != 0;
  if (g_watched) begin_detectors(plan);
  const bool memory = covers_memory || (g_watched && g_set.watches_memory());
  g_detecting_memory = memory && plan.level == Level::memory;
  g_repeats_tell_nothing = !covers_memory && !(g_watched && g_set.wants_repeats());
  g_note_heap = g_note_heap || g_detecting_memory;  // a block used again is another object
}

void end_detection(bool finished) {
  if (!g_detecting) return;
  if (finished && g_watched) g_set.end_run();
  end_coverage();
  g_control->detection_dropped = g_watched ? g_set.dropped() : 0;
  g_detecting = false;
  g_detecting_memory = false;
}

void hold_detectors() { g_turn.lock(); }
void let_detectors_go() { g_turn.unlock(); }

void show_detectors(const Shown& shown) {
  if (shown.thread == kNoThread || shown.thread.value >= kMaxThreads) return;
  SiteId site = shown.site;
  if (g_watched && is_to_find(site)) {
    const ContextNumber context = context_now(g_set.held().of(shown.thread));
    site.value |= std::uint64_t{context} << kContextShift;
    note_contexts(shown, context);
  }
  Event event{};
  event.step = shown.step;
  event.object = ObjectId{reinterpret_cast<std::uint64_t>(shown.object)};
  event.site = site;
  event.value = shown.value;
  event.argument = shown.argument;
  event.thread = shown.thread;
  event.kind = shown.kind;
  event.phase = shown.phase;
  event.size = shown.size;
  event.order = shown.order;
  event.result = shown.result;
  if (g_watched) g_set.on(event);
  if (!g_covering) return;
  event.site = shown.site;  // metrics ask for the place alone
  cover(event);
}

}  // namespace heddle::runtime
