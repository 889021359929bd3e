// How both engines feed the detectors (detect/) and the metrics (runtime/coverage.h). Off, this costs one test of a flag.
//
// Events are shown as analysis/effect.h has it. Addresses stand for objects, and places are translated into identities
// only when something is found. In the controlled engine only the thread that has control calls; the free engine's
// threads take turns.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/event.h"

namespace heddle::runtime {

extern bool g_detecting;         // some detector or metric is on
extern bool g_detecting_memory;  // and one of them needs every plain access
// Nobody learns from an access that its thread has made already since it last synchronised.
extern bool g_repeats_tell_nothing;

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

// An edge that no operation of the program shows: what this thread did so far is known to whoever acquires `object`.
// Any thread, any time: without detectors, or outside a run, nothing happens.
void show_released(const void* object, void* caller);
void show_acquired(const void* object, void* caller);

// A place that has not been looked up yet: a return address. Looked up if something is found there. show_detectors() adds
// the number of the thread's context (context.h), in the bits that addresses leave free.
SiteId site_to_find(const void* return_address);
// The place itself, as it is kept; what is no such number is returned as it is.
SiteId found_site(SiteId site);

// Between the two nobody else is shown anything: for an operation that must be one with its event (free engine).
void hold_detectors();
void let_detectors_go();

}  // namespace heddle::runtime
