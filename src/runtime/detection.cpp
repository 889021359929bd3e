#include "runtime/detection.h"

#include "detect/detector_set.h"
#include "runtime/coverage.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/futex.h"
#include "runtime/platform/memory.h"
#include "runtime/thread.h"

namespace heddle::runtime {

bool g_detecting = false;
bool g_detecting_memory = false;

namespace {

constinit DetectorSet g_set;
constinit FindingLog g_log;
constinit FutexLock g_turn;

// Module numbers stay far below the top bit.
constexpr std::uint64_t kToFind = std::uint64_t{1} << 63;

void translate(Finding& finding) {
  finding.first_site = found_site(finding.first_site);
  finding.second_site = found_site(finding.second_site);
  finding.object = object_of(reinterpret_cast<const void*>(finding.object.value));
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

SiteId site_to_find(const void* return_address) {
  return SiteId{reinterpret_cast<std::uint64_t>(return_address) | kToFind};
}

SiteId found_site(SiteId site) {
  if ((site.value & kToFind) == 0) return site;
  return site_of(reinterpret_cast<const void*>(site.value & ~kToFind));
}

void begin_detection() {
  const RunPlan& plan = g_control->plan;
  const bool covers_memory = begin_coverage();
  g_detecting = plan.detectors != 0 || g_covering;
  g_detecting_memory = false;
  if (!g_detecting) return;
  g_log.begin_run(g_control->findings, &g_control->finding_count, &g_control->findings_dropped,
                  translate);
  g_set.begin_run({plan.detectors, map_memory, plan.detector_memory}, g_log);
  g_detecting_memory = (g_set.watches_memory() || covers_memory) && plan.level == Level::memory;
  g_note_heap = g_note_heap || g_detecting_memory;  // a block used again is another object
}

void end_detection(bool finished) {
  if (!g_detecting) return;
  if (finished) g_set.end_run();
  end_coverage();
  g_control->detection_dropped = g_set.dropped();
  g_detecting = false;
  g_detecting_memory = false;
}

void hold_detectors() { g_turn.lock(); }
void let_detectors_go() { g_turn.unlock(); }

void show_detectors(const Shown& shown) {
  if (shown.thread == kNoThread) return;
  Event event{};
  event.step = shown.step;
  event.object = ObjectId{reinterpret_cast<std::uint64_t>(shown.object)};
  event.site = shown.site;
  event.value = shown.value;
  event.argument = shown.argument;
  event.thread = shown.thread;
  event.kind = shown.kind;
  event.phase = shown.phase;
  event.size = shown.size;
  event.order = shown.order;
  event.result = shown.result;
  if (!g_set.empty()) g_set.on(event);
  if (g_covering) cover(event);
}

}  // namespace heddle::runtime
