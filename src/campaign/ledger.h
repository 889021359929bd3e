// A campaign's hand in the store: begins or takes up, writes each run down as it ends, and each round when it is merged.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "campaign/coverage_tally.h"
#include "campaign/crew.h"
#include "campaign/failure.h"
#include "campaign/lock_graph.h"
#include "campaign/options.h"
#include "campaign/program.h"
#include "campaign/store/store.h"

namespace heddle::campaign {

class Ledger {
 public:
  struct Opening {
    const Program* program;
    const RunOptions* options;
    std::string strategy;
    std::uint64_t seed;  // of a new campaign
  };
  static Result<std::unique_ptr<Ledger>> open(const Opening& opening);

  // The campaign that is taken up, or null: a new one was begun.
  const StoredCampaign* earlier() const { return earlier_ ? &*earlier_ : nullptr; }
  // Of a new campaign with --resume: what the program's last campaign learned; else empty.
  const std::string& inherited() const { return inherited_; }

  // The plans of a round that were run before a kill: what came of them, else what is still to be run.
  std::optional<RunSlot> recall(const RunInput& input);

  // On a worker's thread, right after a run.
  void finished(const RunSlot& slot);
  // On the campaign's thread. Nothing is written any more after the first failure to write.
  void end_round(const RoundRows& round, CoverageTally& tally, LockGraph& locks);
  void end_campaign(const std::string& stopped_by, double seconds);

  // Why something could not be written: a sentence, or empty.
  std::string error();
  Store& store() { return *store_; }

 private:
  explicit Ledger(std::unique_ptr<Store> store) : store_(std::move(store)) {}
  void note(const Result<void>& written);

  std::mutex mutex_;
  std::unique_ptr<Store> store_;
  std::string error_;
  std::optional<StoredCampaign> earlier_;
  std::map<std::uint64_t, std::string> pending_;
  std::string inherited_;
};

// All of the options that make a run what it is, as text: the same text, the same campaign.
std::string configuration_text(const Program& program, const RunOptions& options);

RunRow run_row(const RunRecord& record);
FailureRow failure_row(const Failure& failure);
// What a row tells of a failure that an earlier process found. Its folder has the rest.
Failure failure_of(const FailureRow& row);
// Brings `count` up to date in the folder of such a failure.
Result<void> update_count(const Failure& failure);

}  // namespace heddle::campaign
