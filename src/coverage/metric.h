// Events in, tasks out: the one seam of this directory.
//
// To add a metric: foo.h/foo.cpp, a row in catalog.cpp, tests/unit/coverage/foo_test.cpp. Nothing else. One object may serve
// several rows (a metric and its starred variant): it looks at each event once and covers in those rows that are wanted.
//
// A metric lives in static storage inside the program under test: no heap (its memory comes from the arena), no
// destructor, no C++ runtime. Which events it is shown, and when, is in analysis/effect.h; besides these it is shown
// locks that a thread is about to take (phase `before`), and function_enter and function_exit.
#pragma once

#include "analysis/effect.h"
#include "analysis/lock_stacks.h"
#include "base/arena.h"
#include "coverage/identities.h"
#include "coverage/task_sink.h"
#include "coverage/variables.h"

namespace heddle {

// One row of the catalogue in this run.
struct MetricRow {
  bool on;
  std::uint8_t number;
  std::uint64_t name_hash;
};

// What a run starts with, and what metrics share. When on() is called, `held` is as it was before the event.
struct MetricContext {
  Arena* arena;
  const LockStacks* held;
  Identities* identities;
  TaskSink* tasks;

  void cover(const MetricRow& row, const Task& task, std::uint32_t weight = 1) const {
    if (row.on) tasks->cover(row.number, row.name_hash, task, weight);
  }
};

// An event, and what all metrics would look up.
struct Seen {
  const Event& event;
  std::uint64_t place;  // 0 for calls
  Variable* variable;   // of an access that happens now; else null
};

class Metric {
 public:
  // `rows`: those of the catalogue that have this object, in the catalogue's order.
  virtual void begin_run(const MetricContext& context, const MetricRow* rows) = 0;
  virtual void on(const Seen& seen) = 0;

 protected:
  ~Metric() = default;  // lives in static storage
};

}  // namespace heddle
