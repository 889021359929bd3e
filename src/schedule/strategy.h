// Who runs next. The one seam of this directory.
//
// To add a strategy: foo.h/foo.cpp, a row in catalog.cpp, tests/unit/schedule/foo_test.cpp. Nothing else.
//
// A strategy lives in static storage inside the program under test: no heap, no destructor, no C++ runtime.
// Its state must fit its object; thread-indexed arrays have kMaxThreads entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/prng.h"
#include "contract/control_block.h"
#include "contract/run_plan.h"
#include "contract/schedule_point.h"

namespace heddle {

// What a run starts with. The spans live in the control block and outlast the run.
struct StrategyContext {
  StrategySettings settings;
  std::span<const ThreadProfile> profile;   // what earlier runs saw of each thread (may be empty)
  std::span<const Decision> replay;         // decisions to follow (replay, dfs)
  std::span<const AccessProfile> accesses;  // who did what where in earlier runs (may be empty)
  std::span<SiteId> met{};                  // RunOutcome::met (may be empty)
};

class Strategy {
 public:
  virtual void begin_run(const StrategyContext& context, Prng& prng) = 0;

  // Returns an index into point.candidates, which is never empty and ascends by thread. Called at every scheduling
  // point, also with a single candidate: a strategy that counts what ran must see it all. (A caller that leaves those
  // out gets less good schedules, not wrong ones.) A strategy that ignores point.current_yields may livelock a
  // polling program: give way. Candidates with `stall` set are for schedule/stalls.h to decide about.
  virtual std::size_t pick(const SchedulePoint& point, Prng& prng) = 0;

  // Asked where `current` can run and does not give way and nobody has looked yet who else can: there are no candidates. For so
  // many points of `current`, this one included, it is what pick() would answer, whoever they are, as long as it can run and does
  // not give way. Nothing is done yet: the caller says by went_on() how many of them there were, before it asks anything else.
  virtual std::uint64_t goes_on_for(const SchedulePoint&) { return 0; }
  virtual void went_on(std::uint64_t /*points*/) {}

 protected:
  ~Strategy() =
      default;  // lives in static storage; a virtual one would need operator delete in the target
};

}  // namespace heddle
