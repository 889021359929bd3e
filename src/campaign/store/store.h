// campaign.sqlite: what campaigns did, run by run, and what they learned (docs/formats/campaign.md).
//
// A run is committed when it ends, so a kill loses at most the runs in flight. What only the campaign can say of it (whether
// it counts, which failure it was) follows when its round is merged; until then the run's record is kept as pending, and
// a resumed campaign takes it from there instead of running it again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/store/database.h"
#include "campaign/store/schema.h"
#include "host/result.h"

namespace heddle::campaign {

struct CampaignRow {
  std::string program;
  std::string build_id;
  std::string configuration;  // all that makes runs what they are, as text
  std::string engine;
  std::string strategy;
  std::uint64_t seed = 0;
};

struct RunRow {
  std::uint64_t run = 0;
  std::uint64_t seed = 0;
  std::string strategy;
  std::string kind;  // of a failure; empty if it passed
  std::string failure_id;
  int wait_status = 0;
  std::uint64_t steps = 0;
  std::uint64_t preemptions = 0;
  std::uint64_t schedule_hash = 0;
  std::uint64_t event_hash = 0;
  double seconds = 0;
};

struct FailureRow {
  std::string id;
  std::string kind;
  std::string message;
  std::string signature;
  std::string reproduced;
  std::uint64_t first_run = 0;
  std::uint64_t count = 0;
  std::string summary;  // the object of --json's failures[]
};

struct FindingRow {
  std::string signature;
  std::string finding;
  std::string detector;
  std::string message;
  std::uint64_t first_run = 0;
  std::uint64_t count = 0;
  std::uint64_t failing = 0;  // finding_tally.h
  std::uint64_t passing = 0;
  std::uint64_t confirmed_run = 0;
  std::vector<std::uint64_t> over_runs;
};

// A campaign as it was left.
struct StoredCampaign {
  std::uint64_t seed = 0;
  std::string stopped_by;  // empty: it was killed, or its machine was
  double seconds = 0;
  std::uint64_t merged = 0;  // runs that `learned` knows of
  std::string learned;       // the campaign's own bytes; empty: none
  std::vector<std::pair<std::uint64_t, std::string>> pending;  // runs after those, ascending
  std::vector<FailureRow> failures;                            // in the order found
  std::vector<FindingRow> findings;
};

// What the end of a round makes certain.
struct RoundRows {
  std::uint64_t last = 0;       // runs after this one do not count
  std::vector<RunRow> failing;  // with kind and failure
  std::vector<FailureRow> failures;
  std::vector<FindingRow> findings;
  std::string learned;
};

// The row of a run in `pending`: one number, so that a new row is added behind the last and moves nothing.
constexpr std::uint64_t pending_id(std::uint64_t campaign, std::uint64_t run) {
  return (campaign << 40) + run;
}

class Store {
 public:
  // Opens or creates; refuses a store of a newer version.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  Result<void> begin_campaign(const CampaignRow& row);
  // Makes the last campaign of that program and configuration this one, if there is one and no other process has it.
  enum class SeedWanted : std::uint8_t { any, this_one };
  Result<std::optional<StoredCampaign>> take_up(const CampaignRow& row, SeedWanted seed);
  // What the last campaign of that program learned, whatever its configuration; empty: nothing.
  Result<std::string> last_learned(const CampaignRow& row);

  // All or none. `pending` as in StoredCampaign; empty: the run is to be made again after a kill.
  Result<void> add_run(const RunRow& row, const std::string& pending);
  // `more` puts what else belongs into the same transaction.
  Result<void> end_round(const RoundRows& round, const std::function<Result<void>()>& more = {});
  Result<void> end_campaign(const std::string& stopped_by, double seconds);

  std::uint64_t campaign() const { return campaign_; }
  std::uint64_t program() const { return program_; }
  Result<std::uint64_t> count_runs();  // of this campaign
  // Of this campaign's runs up to `last`, ascending.
  Result<void> each_schedule_hash(std::uint64_t last,
                                  const std::function<void(std::uint64_t)>& hash);

  // For readers: makes this the campaign that is asked about.
  void look_at(std::uint64_t campaign, std::uint64_t program) {
    campaign_ = campaign;
    program_ = program;
  }

  Database& database() { return *database_; }

 private:
  Store(std::unique_ptr<Database> database, std::filesystem::path lock_file);
  Result<std::uint64_t> id_of(const char* insert, const char* select,
                              const std::vector<Value>& values);
  Result<std::uint64_t> strategy_id(const std::string& text);
  Result<void> put_run(const RunRow& row);
  Result<void> put_failure(const FailureRow& row);
  bool hold(std::uint64_t campaign);

  std::unique_ptr<Database> database_;
  std::filesystem::path lock_file_;
  int lock_ = -1;  // a byte of it per campaign in hand; the kernel gives it back when we die
  std::uint64_t campaign_ = 0;
  std::uint64_t program_ = 0;
  std::map<std::string, std::uint64_t> strategies_;  // committed ones only
};

}  // namespace heddle::campaign
