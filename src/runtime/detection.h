// How both engines feed the detectors (detect/) and the metrics (runtime/coverage.h). Off, this costs one test of a flag.
//
// Events are shown as analysis/effect.h has it. Addresses stand for objects, and places are translated into identities
// only when something is found. In the controlled engine only the thread that has control calls. The free engine's
// threads take turns if somebody needs that; where fasttrack alone looks at memory, they never do so for a plain access.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/effect.h"
#include "contract/event.h"

namespace heddle::runtime {

extern bool g_detecting;         // some detector or metric is on
extern bool g_detecting_memory;  // and one of them needs every plain access
// Plain accesses need be shown to fasttrack alone (show_tracker).
extern bool g_tracking;

// Once per run, before its first event. Reads the plan.
void begin_detection();
// The process ends in an orderly way, or cannot go on: what only shows at the end. `finished`: by exit.
void end_detection(bool finished);

// Something that is shown to the detectors. Fields as in Event.
struct Shown {
  EventKind kind;
  ThreadId thread;
  const void* object = nullptr;
  SiteId site{};
  std::uint64_t step = 0;
  std::uint64_t argument = 0;
  std::uint64_t value = 0;
  std::uint8_t size = 0;
  MemoryOrder order = MemoryOrder::none;
  EventPhase phase = EventPhase::after;
  std::int16_t result = 0;
};
void show_detectors(const Shown& shown);
// A plain access, while g_tracking: at any time, by any thread.
void show_tracker(const Shown& shown);
// Free engine: nobody is there but fasttrack, and it needs no turns. Atomics and mutexes then go by the next ones.
extern bool g_tracking_alone;
// Controlled engine: the same. What it shows has happened, at that step.
extern bool g_tracking_under_control;
void show_atomic_done(std::uint64_t step, const AtomicStep& atomic, bool stored);
// Before the operation and after it; what the first returns goes to the second.
void* begin_shown_atomic(const AtomicStep& step);
void end_shown_atomic(const AtomicStep& step, bool stored, void* held);
// Instead, for a load that is more than relaxed. False: to be done again, by the other two.
struct ShownLoad {
  const void* object;
  std::uint64_t version;
};
ShownLoad begin_shown_load(const AtomicStep& step);
bool end_shown_load(const AtomicStep& step, const ShownLoad& load);
// Shows that a mutex of no special kind was taken, or is about to be given back. False: to be shown like everything else.
bool show_mutex_taken(ThreadId thread, const void* mutex, const void* caller);
bool show_mutex_given(ThreadId thread, const void* mutex);
// From now on, accesses of the calling thread that fasttrack knows need not be shown to it: the stubs pass them (fast/).
void pass_tracked_accesses(ThreadId thread);
// Controlled engine, while g_tracking: the same for private ones. False: every access is to be shown.
bool pass_private_accesses(ThreadId thread);
// What show_tracker does for a thread that has FastState::tracked_limit.
struct TrackedAccess {
  const void* address;
  std::size_t size;
  EventKind kind;
  void* caller;
};
void track_again(ThreadId thread, const TrackedAccess& access);
// What it does where the engine counts steps.
void track_at(std::uint64_t step, ThreadId thread, const TrackedAccess& access);

// An edge that no operation of the program shows: what this thread did so far is known to whoever acquires `object`.
// Any thread, any time: without detectors, or outside a run, nothing happens.
void show_released(const void* object, void* caller);
void show_acquired(const void* object, void* caller);

// A place that has not been looked up yet: a return address. Looked up if something is found there. show_detectors() adds
// the number of the thread's context (context.h), in the bits that addresses leave free.
SiteId site_to_find(const void* return_address);
// The place itself, as it is kept; what is no such number is returned as it is.
SiteId found_site(SiteId site);

// Around everything that the free engine shows in another way than by the functions above.
void hold_detectors();
void let_detectors_go();

}  // namespace heddle::runtime
