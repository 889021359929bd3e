// Runs every configuration of a grid with the same budget and the same seeds, one after the other.
//
// With --runs each gets so many runs; with --for the time is shared out equally. A configuration starts from nothing: what
// one learns is not told to the next. So the same seed and number of runs give the same result whatever --jobs is, and after
// an interruption too: a configuration that was not finished is measured again.
#pragma once

#include <chrono>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "campaign/campaign.h"
#include "campaign/compare/grid.h"
#include "campaign/compare/measured.h"
#include "campaign/compare/progress_file.h"
#include "campaign/coverage_tally.h"
#include "campaign/crew.h"
#include "campaign/options.h"
#include "campaign/program.h"
#include "host/result.h"

namespace heddle::campaign {

struct ComparisonResult {
  std::vector<Measured> measured;  // in the order of the grid
  std::size_t configurations = 0;  // in the grid
  std::size_t resumed = 0;         // of them, measured before
  std::uint64_t seed = 0;
  std::string strategy;
  std::string metric;  // whose tasks are counted; empty: none
  StoppedBy stopped_by = StoppedBy::budget;
  double seconds = 0;
  std::string write_error;  // a sentence; what is on disk may be incomplete

  std::uint64_t runs() const;
  std::uint64_t failing_runs() const;
  std::vector<Json> failures() const;  // one per signature over all configurations
  double control_percent() const;
  bool took_control() const;
};

class ComparisonObserver {
 public:
  virtual ~ComparisonObserver() = default;
  // Often, while `configuration` (from 1) is being measured.
  virtual void progress(std::size_t configuration, const Measured& so_far) = 0;
};

class Comparison {
 public:
  // options.seed and options.jobs are already chosen.
  Comparison(const Program& program, const RunOptions& options, std::vector<Configuration> grid,
             StopSignal& stop, ComparisonObserver& observer);

  Result<ComparisonResult> run();

  static constexpr const char* kProgressName = "compare.jsonl";

 private:
  struct State;
  // Nothing: interrupted.
  Result<std::optional<Measured>> measure(Crew& crew, std::size_t index);
  void merge(Crew& crew, State& state, RunSlot& slot);
  Json keep_failure(Crew& crew, const State& state, RunSlot& slot, const Judgement& judgement);
  Json about() const;

  const Program& program_;
  RunOptions options_;
  std::vector<Configuration> grid_;
  StopSignal& stop_;
  ComparisonObserver& observer_;
  CoverageTally tally_;                // of all configurations: it knows the tasks
  std::map<std::string, bool> kept_;   // signatures that have a folder
  std::chrono::nanoseconds share_{0};  // of the time, for each configuration; 0: none is set
  ComparisonResult result_;
};

}  // namespace heddle::campaign
