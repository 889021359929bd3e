// The workers of a campaign: takes plans, brings back results in the order of the plans.
//
// A hand makes one run at a time. Where there are processors to spare it has two workers that take turns, each with a thread and on
// a processor of its own: while a run of one goes on, what is left of the run before and the process for the next are the
// other's (docs/decisions/0005).
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "campaign/baton.h"
#include "campaign/oracle.h"
#include "campaign/program.h"
#include "campaign/run_record.h"
#include "campaign/stop_signal.h"
#include "campaign/worker.h"

namespace heddle::campaign {

struct CrewSettings {
  unsigned jobs = 1;
  EngineKind engine = EngineKind::controlled;
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  std::string scratch;
  bool one_shot = false;
};

// One plan's result. `done` is false if it was not run, or does not count: the rest of the list is then not to be used.
struct RunSlot {
  bool done = false;
  RunRecord record;
  Suspicion suspicion;
  std::optional<RunCapture> capture;  // of a failed run, or of all when asked for
  // Determinism check: the same plan once more.
  bool checked = false;
  bool same = false;
};

struct Work {
  std::span<const RunInput> inputs;
  bool stop_at_failure = false;  // runs after the first failed one need not be made
  bool capture_all = false;
  bool alone = false;  // one run at a time, so that none disturbs another
  // Whether to run this plan a second time and compare. Null: never.
  std::function<bool(const RunInput&)> check_again;
  // No run is begun after this, and what is running then is cut off and does not count.
  std::optional<std::chrono::steady_clock::time_point> until;
  // Called on the worker's thread with each run that counts, when it has ended.
  std::function<void(const RunSlot&)> finished;
  // Called a few times a second on the calling thread, with how many runs have ended.
  std::function<void(std::size_t)> tick;
};

// What a worker's runs have in common is described once, in the first of them: of a run that does not count, another keeps it.
void keep_descriptions(RunRecord& record, const RunRecord& other);

class Crew {
 public:
  Crew(const Program& program, const CrewSettings& settings, const Oracle& oracle,
       StopSignal& stop);

  Result<void> start();
  std::vector<RunSlot> execute(const Work& work);

  unsigned size() const { return static_cast<unsigned>(hands_.size()); }
  bool addresses_vary() const;
  bool one_shot() const;

 private:
  struct Hand {
    std::unique_ptr<Worker> worker;
    std::unique_ptr<Worker> partner;  // null: none, or not yet
    std::future<std::unique_ptr<Worker>> recruit;
  };
  struct Shift;

  std::unique_ptr<Worker> make_worker(unsigned number) const;
  void find_partners();
  void labour(Worker& worker, Baton<Worker>& baton, Shift& shift);
  void settle(Worker& worker, const Shift& shift, std::size_t index);
  void check_again(Worker& worker, const RunInput& input, RunSlot& slot);

  const Program& program_;
  CrewSettings settings_;
  const Oracle& oracle_;
  StopSignal& stop_;
  std::vector<Hand> hands_;
  std::uint64_t runs_ = 0;  // made so far
  bool recruiting_ = false;
};

}  // namespace heddle::campaign
