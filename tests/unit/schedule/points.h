// Scheduling points written by hand, for tests that ask for one choice.
#pragma once

#include <initializer_list>
#include <vector>

#include "contract/schedule_point.h"
#include "schedule/strategy.h"

namespace heddle {

inline PendingOperation pending(std::uint16_t thread, std::uint64_t object = 0,
                                EventKind kind = EventKind::write, std::uint64_t site = 0) {
  PendingOperation operation{};
  operation.thread = ThreadId{thread};
  operation.kind = kind;
  operation.object = make_global(0, object);
  operation.site = SiteId{site};
  operation.path_hash = 1000u + thread;
  return operation;
}

struct PointSpec {
  std::uint64_t step = 1;
  bool yields = false;
  std::uint64_t points = 1;
};

// `current` can run if it is among the candidates without a stall.
inline SchedulePoint point_at(const std::vector<PendingOperation>& candidates,
                              std::uint16_t current, PointSpec spec = {}) {
  SchedulePoint point{};
  point.candidates = candidates;
  point.step = spec.step;
  point.current = ThreadId{current};
  point.current_yields = spec.yields;
  point.current_points = spec.points;
  for (const PendingOperation& candidate : candidates) {
    if (candidate.thread == point.current && candidate.stall == 0) point.current_can_run = true;
  }
  return point;
}

inline StrategyContext with_argument(std::int64_t argument) {
  StrategyContext context{};
  context.settings.arguments[0] = argument;
  return context;
}

}  // namespace heddle
