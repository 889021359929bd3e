#include "runtime/coverage.h"

#include "coverage/metric_set.h"
#include "runtime/call_stack.h"
#include "runtime/detection.h"
#include "runtime/identity.h"
#include "runtime/memory_shares.h"
#include "runtime/mode.h"
#include "runtime/platform/memory.h"
#include "runtime/thread.h"

namespace heddle::runtime {

bool g_covering = false;

namespace {

constinit MetricSet g_metrics;

// The calls that the metrics know of. Noise may follow calls too, and has its own idea of what it was told.
struct Followed {
  void* calls[CallStack::kMostShown];
  std::size_t depth;
};
constinit thread_local Followed t_followed{};

// Threads of the C++ library all begin in the same function: then the place of creation says more.
SiteId start_routine(ThreadId thread) {
  const ThreadRecord& record = g_control->threads[thread.value];
  if (thread.value == 0) return SiteId{0};
  return site_module(record.start_routine) == 0 ? record.start_routine : record.create_site;
}

AbstractObject abstract_object(std::uint64_t address) {
  const auto* const pointer = reinterpret_cast<const void*>(address);
  AbstractObject object{};
  if (const HeapBlock* const block = find_block(pointer)) {
    object.site = block->site;
    object.size = block->size;
    object.offset = address - block->start;
    if (block->calls != 0) object.calls = g_control->allocation_calls[block->calls - 1];
    object.id = make_heap(combine(block->site.value, block->size), object.offset);
    return object;
  }
  object.id = object_of(pointer);
  if (object_kind(object.id) == ObjectKind::stack) {
    const ThreadId owner{static_cast<std::uint16_t>(object.id.value >> 44)};
    object.offset = object.id.value & 0xfff'ffff'ffffULL;
    object.site = owner.value < kMaxThreads ? start_routine(owner) : SiteId{0};
    object.id = make_object(ObjectKind::stack, combine(object.site.value, object.offset) >> 4);
  }
  return object;
}

// Tells the metrics what was called and left since they were last told.
void follow_calls(ThreadId thread) {
  if (call_stack().base == nullptr) keep_call_stack();
  if (call_stack().base == nullptr) return;
  void** frames = nullptr;
  const std::size_t now = calls_now(frames);
  Followed& followed = t_followed;
  std::size_t same = 0;
  while (same < now && same < followed.depth && frames[same] == followed.calls[same]) ++same;
  if (same == now && same == followed.depth) return;
  Event event{};
  event.thread = thread;
  event.order = MemoryOrder::none;
  event.kind = EventKind::function_exit;
  for (std::size_t i = followed.depth; i > same; --i) g_metrics.on(event);
  event.kind = EventKind::function_enter;
  for (std::size_t i = same; i < now; ++i) {
    followed.calls[i] = frames[i];
    event.site = site_to_find(frames[i]);
    g_metrics.on(event);
  }
  followed.depth = now;
}

}  // namespace

bool begin_coverage() {
  const RunPlan& plan = g_control->plan;
  g_covering = plan.metrics != 0;
  if (!g_covering) return false;
  t_followed.depth = 0;
  keep_call_stack();
  g_metrics.begin_run({plan.metrics,
                       map_memory,
                       memory_shares(plan).coverage,
                       {&found_site, &abstract_object, &start_routine},
                       &g_control->coverage});
  g_note_heap = true;  // objects are known by where they were allocated
  return g_metrics.watches_memory();
}

void end_coverage() {
  if (g_covering) g_control->coverage.dropped += g_metrics.dropped();
  g_covering = false;
}

void cover(const Event& event) {
  if (event.thread == current_thread().id) follow_calls(event.thread);
  g_metrics.on(event);
}

}  // namespace heddle::runtime
