// Events in, findings out: the one seam of this directory.
//
// To add a detector: foo.h/foo.cpp, a row in catalog.cpp, tests/unit/detect/foo_test.cpp. Nothing else.
//
// A detector lives in static storage inside the program under test: no heap (its memory comes from the arena), no
// destructor, no C++ runtime. Which events it is shown, and when, is in analysis/effect.h. It works the same on a trace.
#pragma once

#include "analysis/access_cells.h"
#include "analysis/effect.h"
#include "analysis/happens_before.h"
#include "analysis/lock_stacks.h"
#include "base/arena.h"
#include "detect/finding_log.h"
#include "detect/lock_order_log.h"

namespace heddle {

// What a run starts with, and the state machines that detectors share. They are kept up to date by detector_set.h: when
// on() is called, `order` has what the event learned and not yet what it tells; `held` is as it was before the event.
struct DetectorContext {
  Arena* arena;
  const HappensBefore* order;
  const LockStacks* held;
  FindingLog* findings;
  LockOrderLog* lock_order;  // may be null
  std::uint8_t self;         // row of the detector in the catalogue
  AccessCells::Directory* directory = nullptr;
  void (*barrier)() = nullptr;  // of analysis/access_cells.h
};

class Detector {
 public:
  virtual void begin_run(const DetectorContext& context) = 0;
  virtual void on(const Event& event) = 0;
  // The program is over, or cannot go on: what only shows at the end.
  virtual void end_run() {}
  // What memory did not suffice for: accesses, edges, objects not kept.
  virtual std::uint64_t dropped() const { return 0; }

 protected:
  ~Detector() = default;  // lives in static storage
};

}  // namespace heddle
