// What the controlled engine shows to the detectors, and when (analysis/effect.h). Call only while runtime::g_detecting.
#pragma once

#include "runtime/controlled/engine.h"
#include "runtime/detection.h"

namespace heddle::controlled {

// From commit(): everything but plain accesses and atomics, and what has a function of its own below.
void detect_committed(const Task& self, const Operation& intent, std::uint64_t value,
                      std::int16_t result);

// A thread gets to a lock: metrics want to know whether it has to wait. Call only while runtime::g_covering.
void detect_arrival(const Task& self, const Operation& intent);

// A plain access gets to its point, and happens.
void detect_access(const Task& self, EventPhase phase, const Operation& intent);
void detect_atomic_in_turn(const Task& self, const Operation& atomic, std::uint64_t value,
                           bool stored);
inline void detect_atomic(const Task& self, const Operation& atomic, std::uint64_t value,
                          bool stored) {
  const bool short_way = runtime::g_tracking_under_control &&
                         atomic.kind != EventKind::atomic_fence && atomic.caller != nullptr;
  if (!short_way) return detect_atomic_in_turn(self, atomic, value, stored);
  runtime::show_atomic_done(g_engine.step,
                            {self.id, atomic.kind, atomic.order, atomic.size,
                             reinterpret_cast<std::uint64_t>(atomic.object), atomic.caller},
                            stored);
}
// Before the child can run: it knows what its parent did.
void detect_create(const Task& self, const Task& child, void* caller);
// A join that the real function answers by itself: of a thread joined before, or detached.
void detect_wrong_join(const Task& self, const Task& target, void* caller);
// The end of an operation that lasts: barrier_wait, once.
void detect_end(const Task& self, EventKind kind, const void* object, std::uint64_t value = 0);
// Memory that is somebody's afresh: a heap block, a stack.
void detect_fresh(const Task& self, const void* start, std::uint64_t size);

}  // namespace heddle::controlled
