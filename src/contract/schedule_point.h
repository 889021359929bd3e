// What a strategy sees: who could run next, and what each is about to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "contract/event.h"
#include "contract/ids.h"

namespace heddle {

struct PendingOperation {
  ThreadId thread;
  EventKind kind;
  std::uint8_t stall;    // 1: only by firing its timer early (kPlanStalls)
  std::uint32_t points;  // this thread's scheduling points so far
  ObjectId object;
  SiteId site;
  std::uint64_t path_hash;  // of the thread, to find its profile
};

// The previous event ran between the last point and this one, in `current`.
struct SchedulePoint {
  std::span<const PendingOperation> candidates;  // never empty, ascending by thread
  std::uint64_t step;
  ThreadId current;      // who got here
  bool current_can_run;  // is among the candidates (not as a stall)
  bool current_yields;   // asked to give way: yield, spin, an unchanged polled location
  std::uint64_t
      current_points;    // of `current`, this point included; what Decision::from_step records
  SiteId current_site;   // where `current` stands; what Decision::site records
  std::uint64_t now_ns;  // virtual time
};

}  // namespace heddle
