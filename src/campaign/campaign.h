// One campaign: plans rounds of runs, has them made, learns from them, keeps what fails.
//
// Determinism: the plans of a round depend only on what was merged before it, results are merged by run number, and runs after
// the first failure are thrown away. So the same seed and number of runs give the same result whatever --jobs is.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "campaign/coverage_tally.h"
#include "campaign/crew.h"
#include "campaign/failure.h"
#include "campaign/finding_tally.h"
#include "campaign/health.h"
#include "campaign/learned.h"
#include "campaign/ledger.h"
#include "campaign/options.h"
#include "campaign/pinning.h"
#include "campaign/plan_maker.h"
#include "campaign/program.h"
#include "campaign/strategy_chooser.h"
#include "host/result.h"

namespace heddle::campaign {

enum class StoppedBy : std::uint8_t { failure, budget, saturation, exhausted, interrupted };
std::string_view stopped_by_name(StoppedBy reason);

// What the user left open.
std::uint64_t chosen_seed(const RunOptions& options);
unsigned chosen_jobs(const RunOptions& options);

struct CampaignTotals {
  std::uint64_t runs = 0;
  double seconds = 0;
  std::uint64_t distinct_schedules = 0;
  std::uint64_t new_lately = 0;  // new schedules among the last hundred runs
  std::uint64_t controlled_calls = 0;
  std::uint64_t uncontrolled_calls = 0;
  std::uint64_t checks = 0;  // runs made again to see whether they come out the same
  std::uint64_t checks_same = 0;
  std::uint64_t failing_runs = 0;
  std::uint64_t failures = 0;  // signatures
  std::uint64_t watchdog_handovers = 0;
  std::uint64_t stragglers = 0;
  std::uint64_t points_skipped = 0;
  std::uint64_t steps = 0;
  std::uint64_t tasks = 0;          // covered, of the metric that is shown
  std::uint64_t new_tasks = 0;      // of them in the last hundred runs
  std::uint8_t metric = kNoMetric;  // row of the metric that is shown

  static constexpr std::uint8_t kNoMetric = 0xff;
  double control_percent() const;
  double fidelity_percent() const;  // 100 where nothing was checked
};

// One metric at the end of a campaign.
struct MetricResult {
  std::string name;
  std::uint64_t tasks = 0;
  std::uint64_t weight = 0;
  std::uint64_t last_new_run = 0;
  SpeciesEstimate unseen;
  bool flat = false;  // nothing new for so long that it counts as saturated
};

struct CampaignResult {
  CampaignTotals totals;
  StoppedBy stopped_by = StoppedBy::budget;
  std::uint64_t seed = 0;
  std::string strategy;
  std::vector<Failure> failures;       // in the order found
  std::vector<FindingCount> findings;  // all that detectors reported, in the order found
  std::uint64_t detection_dropped = 0;
  std::uint64_t unseen_orders = 0;         // findings left out: unseen_order.h
  std::set<std::string> not_instrumented;  // libraries, where races were found: uninstrumented.h
  bool took_control = false;               // the runtime was there in at least one run
  bool became_another = false;             // every run replaced its program by another
  bool addresses_vary = false;
  std::map<std::string, std::uint64_t> uncontrolled;  // calls by name
  std::vector<std::string> health;                    // sentences on the test itself
  std::string internal_error;                         // the first the runtime reported
  std::vector<MetricResult> coverage;                 // the shown one first
  std::uint64_t coverage_dropped = 0;
  std::uint64_t resumed_from = 0;  // runs that were there already; 0: began from nothing
  bool inherited = false;          // a new campaign that knows what the program's last one learned
  std::string write_error;         // a sentence; results may be incomplete on disk
};

// What a campaign tells while it goes on. Called on the campaign's own thread.
class CampaignObserver {
 public:
  virtual ~CampaignObserver() = default;
  virtual void progress(const CampaignTotals& totals) = 0;
  virtual void checking_failure(const Judgement& judgement) = 0;
  virtual void failure(const Failure& failure) = 0;
};

class Campaign {
 public:
  Campaign(const Program& program, const RunOptions& options, StopSignal& stop,
           CampaignObserver& observer);

  // An error is something that stopped it from being tried at all.
  Result<CampaignResult> run();

 private:
  // Begins, or takes up what --resume names.
  Result<void> open_ledger();
  std::string state() const;  // all that a resumed campaign needs; empty: cannot be kept
  bool restore(const StoredCampaign& earlier);

  std::vector<RunInput> plan_round();
  std::vector<RunSlot> run_round(Crew& crew, Work& work);
  FirstRun make_first(Crew& crew, const Work& work, std::vector<RunInput>& inputs);
  std::vector<RunSlot> make_runs(Crew& crew, Work& work, std::vector<RunInput>& inputs);
  // False: stop; result_.stopped_by says why.
  Result<bool> merge_round(Crew& crew, std::vector<RunSlot>& slots);
  void merge_run(RunSlot& slot);
  // campaign_locks.cpp: the circles of locks that this run closes with earlier ones. True: one of them is a failure.
  bool merge_locks(Crew& crew, const RunSlot& slot, RoundRows& round);
  void keep_circle(Crew& crew, const RunSlot& slot, const LockGraph::Circle& circle, RunRow& row);
  Result<void> merge_failure(Crew& crew, RunSlot& slot, RunRow& row);
  bool is_stray(const std::string& id) const;
  void check_failure(Crew& crew, Failure& failure);
  void minimise_found(Crew& crew, Failure& failure);
  Result<void> keep_failure(Failure& failure);
  void note_write(const Result<void>& written);
  bool saturated() const;
  static bool is_flat(std::uint64_t runs, std::uint64_t last_new_run);
  void note_coverage();
  NewTasks merge_coverage(const RunRecord& record);
  void finish_coverage();
  CampaignTotals totals_now(std::size_t in_flight) const;
  double seconds() const;

  const Program& program_;
  RunOptions options_;
  StopSignal& stop_;
  CampaignObserver& observer_;
  std::chrono::steady_clock::time_point start_;
  std::optional<std::chrono::steady_clock::time_point> end_;  // of --for
  Learned learned_;
  Health health_;
  CampaignResult result_;
  PlanMaker plans_;
  StrategyChooser chooser_;
  const Oracle* oracle_ = nullptr;  // while run() runs
  std::unique_ptr<Ledger> ledger_;
  double seconds_before_ = 0;  // of a campaign that is taken up
  CoverageTally tally_;
  std::uint8_t shown_metric_ = CampaignTotals::kNoMetric;
  std::unordered_set<std::uint64_t> schedules_;
  std::uint64_t last_new_run_ = 0;
  bool looked_what_to_pin_ = false;  // pinning.h: in the first round of this process
  std::vector<bool> recently_new_;
  std::map<std::string, std::size_t> by_signature_;  // index into result_.failures
  FindingTally findings_;
  LockGraph locks_;
};

}  // namespace heddle::campaign
