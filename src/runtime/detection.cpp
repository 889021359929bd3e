#include "runtime/detection.h"

#include <pthread.h>

#include "detect/detector_set.h"
#include "runtime/context.h"
#include "runtime/coverage.h"
#include "runtime/fast/fast_state.h"
#include "runtime/free_engine.h"
#include "runtime/identity.h"
#include "runtime/memory_shares.h"
#include "runtime/mode.h"
#include "runtime/module_table.h"
#include "runtime/platform/futex.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/process_barrier.h"
#include "runtime/thread.h"
#include "runtime/translate.h"

namespace heddle::runtime {

bool g_detecting = false;
bool g_detecting_memory = false;
bool g_tracking = false;
bool g_tracking_alone = false;
bool g_tracking_under_control = false;

namespace {

constinit DetectorSet g_set;
// By detectors. Without any their set is not touched: a run pays for each page.
bool g_watched = false;
constinit FindingLog g_log;
constinit LockOrderLog g_lock_order;
constinit FutexLock g_turn;
bool g_take_turns = false;
AccessCells::Directory* g_directory = nullptr;
std::uint64_t g_unnumbered = 0;  // events of threads past kMaxThreads, which have no history

bool is_to_find(SiteId site) { return (site.value & kToFind) != 0; }

// Blocks are known by where they were allocated, threads by where they were created.
void note_contexts(const Shown& shown, ContextNumber context) {
  if (shown.kind == EventKind::allocate) note_block_context(shown.object, context);
  if (shown.kind == EventKind::thread_create) {
    note_creation_context(ThreadId{static_cast<std::uint16_t>(shown.argument)}, context);
  }
}

void show_edge(EventKind kind, MemoryOrder order, const void* object, void* caller) {
  ThreadState& thread = current_thread();
  if (thread.in_runtime || (controlled() && !under_control())) return;
  const InRuntime guard(thread);
  if (g_tracking_alone) {
    const AtomicStep edge{thread.id, kind, order, 0, reinterpret_cast<std::uint64_t>(object),
                          caller};
    return end_shown_atomic(edge, kind != EventKind::atomic_load, begin_shown_atomic(edge));
  }
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
  const MemoryShares shares = memory_shares(plan);
  begin_contexts(map_memory, shares.contexts);
  // An address space of its own for the directory; where that is refused, lookups take longer.
  g_directory = static_cast<AccessCells::Directory*>(
      map_memory(AccessCells::kDirectoryPages * sizeof(AccessCells::Directory)));
  ControlBlock& control = *g_control;
  g_lock_order.begin_run({control.lock_edges, &control.lock_edge_count, control.creations,
                          &control.creation_count, &control.lock_edges_dropped},
                         translate);
  const bool in_parallel = plan.engine == EngineKind::free;
  g_set.begin_run({plan.detectors, map_dense, shares.detectors, &g_lock_order, g_directory,
                   in_parallel ? process_barrier() : nullptr},
                  g_log);
}

void begin_detection() {
  const RunPlan& plan = g_control->plan;
  const bool covers_memory = begin_coverage();
  g_detecting = plan.detectors != 0 || g_covering;
  g_detecting_memory = false;
  if (!g_detecting) return;
  g_control->stack_count = 0;
  g_unnumbered = 0;
  g_control->finding_count = 0;
  g_control->findings_dropped = 0;
  g_watched = plan.detectors != 0;
  if (g_watched) begin_detectors(plan);
  const bool memory = covers_memory || (g_watched && g_set.watches_memory());
  g_detecting_memory = memory && plan.level == Level::memory;
  g_tracking = g_watched && g_detecting_memory && !covers_memory && g_set.tracker() != nullptr;
  g_take_turns = g_covering || (g_watched && g_set.needs_turns());
  const bool alone = g_watched && !g_take_turns;
  g_tracking_alone = alone && plan.engine == EngineKind::free;
  g_tracking_under_control = alone && plan.engine == EngineKind::controlled;
  g_note_heap = g_note_heap || g_detecting_memory;  // a block used again is another object
}

void end_detection(bool finished) {
  if (!g_detecting) return;
  if (finished && g_watched) g_set.end_run();
  end_coverage();
  // Where a thread without a number shows nothing at all, it counts itself.
  const std::uint32_t past = thread_count() > kMaxThreads ? thread_count() - kMaxThreads : 0;
  if (g_watched) g_control->detection_dropped += g_set.dropped() + g_unnumbered + past;
  // What has no name, and what the controlled engine does not know to be ordered any more.
  g_control->detection_dropped += growth_refused();
  g_detecting = false;
  g_detecting_memory = false;
  g_tracking = false;
  g_tracking_alone = false;
  g_tracking_under_control = false;
}

void hold_detectors() {
  if (g_take_turns) g_turn.lock();
}
void let_detectors_go() {
  if (g_take_turns) g_turn.unlock();
}

namespace {

// glibc marks what was destroyed, and an initialiser takes the mark away. A reader-writer lock gets none: on a stack or the
// heap another may have taken its place; a global one is hardly ever initialised anew without a call.
bool looks_alive(EventKind kind, const void* object) {
  if (kind >= EventKind::mutex_init && kind < EventKind::spin_lock) {
    return kind != EventKind::mutex_destroy &&
           static_cast<const pthread_mutex_t*>(object)->__data.__kind >= 0;
  }
  if (is_wait(kind) || kind == EventKind::cond_signal || kind == EventKind::cond_broadcast) {
    constexpr unsigned kDestroyed = 4;
    return (static_cast<const pthread_cond_t*>(object)->__data.__wrefs & kDestroyed) == 0;
  }
  return find_module(reinterpret_cast<std::uint64_t>(object)) == nullptr;
}

// Only detectors that take turns ask.
bool may_be_destroyed(EventKind kind) {
  return g_take_turns && kind >= EventKind::mutex_init && kind <= EventKind::cond_destroy;
}

Event event_of(const Shown& shown) {
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
  if (may_be_destroyed(shown.kind)) {
    const bool alive = looks_alive(shown.kind, shown.object) && !is_freed(shown.object);
    event.value = alive ? 1 : 0;
  }
  return event;
}

bool is_numbered(ThreadId thread) { return thread.value < kMaxThreads; }

// Where it has none, an event is lost.
bool has_history(ThreadId thread) {
  const bool known = is_numbered(thread);
  if (!known) __atomic_fetch_add(&g_unnumbered, 1, __ATOMIC_RELAXED);
  return known;
}

auto held_by(ThreadId thread) {
  return [thread]() -> const LockStacks::Stack& { return g_set.held().of(thread); };
}

// The place, and where the thread is (context.h).
SiteId site_in_context(const Shown& shown, ContextNumber context) {
  return SiteId{shown.site.value | std::uint64_t{context} << kContextShift};
}

}  // namespace

// The number of pages that the stubs may look at.
static std::uint64_t let_stubs_look(ThreadId thread) {
  FastState& fast = heddle_fast_state_v6;
  fast.tracked_who = g_set.who(thread);
  fast.tracked_clock = &g_set.clock(thread);
  fast.sleeps_ended = &g_set.tracker()->sleeps_ended();
  fast.in_runtime = &current_thread().in_runtime;
  fast.page_user = g_set.tracker()->page_user(thread);
  fast.tracked_pages = reinterpret_cast<void* const*>(g_directory);
  return g_directory == nullptr ? 0 : AccessCells::kDirectoryPages;
}

void pass_tracked_accesses(ThreadId thread) {
  if (has_history(thread)) heddle_fast_state_v6.tracked_limit = let_stubs_look(thread);
}

bool pass_private_accesses(ThreadId thread) {
  FastState& fast = heddle_fast_state_v6;
  if (fast.private_limit == 0 && is_numbered(thread)) fast.private_limit = let_stubs_look(thread);
  return fast.private_limit != 0;
}

namespace {

// The calling thread may have released something.
void refresh_who(ThreadId thread) {
  FastState& fast = heddle_fast_state_v6;
  if ((fast.tracked_limit | fast.private_limit) != 0) fast.tracked_who = g_set.who(thread);
}

SiteId site_here(ThreadId thread, const void* caller) {
  return SiteId{site_to_find(caller).value | std::uint64_t{context_again(held_by(thread))}
                                                 << kContextShift};
}

}  // namespace

void* begin_shown_atomic(const AtomicStep& step) {
  if (!has_history(step.thread) || step.kind == EventKind::atomic_fence) return nullptr;
  return g_set.begin_atomic(step, [&] { return site_here(step.thread, step.caller); });
}

void end_shown_atomic(const AtomicStep& step, bool stored, void* held) {
  if (!is_numbered(step.thread)) return;
  if (step.kind == EventKind::atomic_fence) {
    Shown shown{step.kind, step.thread};
    shown.order = step.order;
    g_set.on(event_of(shown));
  } else {
    g_set.end_atomic(step, stored, static_cast<HappensBefore::Object*>(held),
                     [&] { return site_here(step.thread, step.caller); });
  }
  refresh_who(step.thread);
}

ShownLoad begin_shown_load(const AtomicStep& step) {
  if (!is_numbered(step.thread)) return {};
  const HappensBefore::Reading reading = g_set.begin_load(step);
  return {reading.object, reading.version};
}

bool end_shown_load(const AtomicStep& step, const ShownLoad& load) {
  const auto* const object = static_cast<const HappensBefore::Object*>(load.object);
  return object != nullptr && g_set.end_load(step, {object, load.version},
                                             [&] { return site_here(step.thread, step.caller); });
}

bool show_mutex_taken(ThreadId thread, const void* mutex, const void* caller) {
  if (!is_numbered(thread) || g_set.in_wait(thread)) return false;
  const auto key = reinterpret_cast<std::uint64_t>(mutex);
  const SiteId site = site_here(thread, caller);
  if (g_set.took_mutex(thread, key, site)) lock_added(g_set.held().of(thread), key, site);
  return true;
}

bool show_mutex_given(ThreadId thread, const void* mutex) {
  if (!is_numbered(thread) || g_set.in_wait(thread)) return false;
  const auto key = reinterpret_cast<std::uint64_t>(mutex);
  if (g_set.gives_mutex_back(thread, key)) lock_removed(key);
  refresh_who(thread);
  return true;
}

void show_atomic_done(std::uint64_t step, const AtomicStep& atomic, bool stored) {
  g_set.atomic_alone(atomic, stored, step, [&] { return site_here(atomic.thread, atomic.caller); });
  refresh_who(atomic.thread);
}

template <bool kWrites>
static bool keep_in(AccessCells::Granule* granules, std::size_t count, const AccessCell& fresh,
                    const VectorClock& clock) {
  for (std::size_t i = 0; i < count; ++i) {
    if (AccessCells::knows(granules[i], fresh.access)) continue;
    if (AccessCells::keep_own<kWrites, true>(granules[i], fresh)) continue;
    if (!AccessCells::keep_simply<true>(granules[i], fresh, clock)) return false;
  }
  return true;
}

// What the stubs do where threads run in parallel (fast/access.h), for an access to bytes of one granule, or to all of two.
static bool keep_alone(const FastState& fast, const TrackedAccess& access) {
  const auto where = reinterpret_cast<std::uint64_t>(access.address);
  const std::uint64_t number = AccessCells::page_of(where);
  const std::uint64_t offset = where & 7;
  const bool in_one = offset + access.size <= 8 && access.size != 0;
  const bool is_pair =
      offset == 0 && access.size == 16 && AccessCells::page_of(where + 8) == number;
  if ((!in_one && !is_pair) || is_range(access.kind) || number >= fast.private_limit ||
      !in_same_context()) {
    return false;
  }
  auto* const page = static_cast<AccessCells::Page*>(fast.tracked_pages[number]);
  if (page == nullptr) return false;
  AccessCells::Granule* const first = &AccessCells::granule_in(*page, where);
  const auto mask = static_cast<std::uint8_t>(in_one ? ((1u << access.size) - 1) << offset : 0xff);
  AccessWord word(fast.tracked_who | AccessWord::what_of(access.kind, mask));
  word.set_note(*fast.sleeps_ended);
  const AccessCell fresh{
      word, SiteId{reinterpret_cast<std::uint64_t>(access.caller) | fast.context_site}};
  const auto& clock = *static_cast<const VectorClock*>(fast.tracked_clock);
  if (mask != 0xff) return AccessCells::keep_simply<true>(*first, fresh, clock);
  if (in_one && AccessCells::renew(*first, fresh, clock)) return true;
  const std::size_t granules = is_pair ? 2 : 1;
  return word.writes() ? keep_in<true>(first, granules, fresh, clock)
                       : keep_in<false>(first, granules, fresh, clock);
}

[[gnu::noinline]] static void track_the_long_way(std::uint64_t step, ThreadId thread,
                                                 const TrackedAccess& access) {
  g_set.tracker()->access_alone({thread, access.kind, site_here(thread, access.caller),
                                 reinterpret_cast<std::uint64_t>(access.address), access.size,
                                 step});
}

void track_at(std::uint64_t step, ThreadId thread, const TrackedAccess& access) {
  if (access.kind == EventKind::freed) {
    return show_tracker({.kind = access.kind,
                         .thread = thread,
                         .object = access.address,
                         .site = site_to_find(access.caller),
                         .step = step,
                         .argument = access.size});
  }
  if (!keep_alone(heddle_fast_state_v6, access)) track_the_long_way(step, thread, access);
}

void track_again(ThreadId thread, const TrackedAccess& access) {
  g_set.tracker()->access({thread, access.kind, site_here(thread, access.caller),
                           reinterpret_cast<std::uint64_t>(access.address), access.size, 0});
}

void show_tracker(const Shown& shown) {
  if (!has_history(shown.thread)) return;
  const SiteId site = site_in_context(shown, context_again(held_by(shown.thread)));
  const bool others_ask = shown.kind == EventKind::freed && g_set.needs_turns();
  if (!g_set.in_wait(shown.thread) && !others_ask) {
    const bool is_range = shown.size == 0;
    return g_set.track({shown.thread, shown.kind, site,
                        reinterpret_cast<std::uint64_t>(shown.object),
                        is_range ? shown.argument : shown.size, shown.step});
  }
  Event event = event_of(shown);
  event.site = site;
  hold_detectors();
  g_set.on(event);  // which ends a wait first
  let_detectors_go();
}

void show_detectors(const Shown& shown) {
  if (!has_history(shown.thread)) return;
  Event event = event_of(shown);
  if (g_watched) {
    // Where a lock is given back nobody asks how one got there, but for detectors of misuse.
    if (is_to_find(shown.site) && (g_take_turns || !gives_mutex(shown.kind))) {
      const ContextNumber context = context_again(held_by(shown.thread));
      event.site = site_in_context(shown, context);
      note_contexts(shown, context);
    }
    g_set.on(event);
    if (!is_atomic(shown.kind)) locks_changed();
    if (g_set.in_wait(shown.thread)) heddle_fast_state_v6.tracked_limit = 0;  // until it has ended
    refresh_who(shown.thread);
  }
  if (!g_covering) return;
  event.site = shown.site;  // metrics ask for the place alone
  cover(event);
}

}  // namespace heddle::runtime
