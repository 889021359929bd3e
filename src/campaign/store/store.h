// campaign.sqlite: what a campaign did, run by run (docs/formats/campaign.md). The only place that knows SQLite.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "host/result.h"

namespace heddle::campaign {

inline constexpr int kStoreVersion = 1;

struct CampaignRow {
  std::string program;
  std::string build_id;
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
};

class Store {
 public:
  // Opens or creates; refuses a store of a newer version.
  static Result<std::unique_ptr<Store>> open(const std::filesystem::path& file);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  Result<void> begin_campaign(const CampaignRow& row);
  // All or none: a kill at any moment loses no more than what was not handed over yet.
  Result<void> add_runs(const std::vector<RunRow>& rows);
  Result<void> put_failure(const FailureRow& row);  // of this campaign; replaces the earlier state
  Result<void> end_campaign(const std::string& stopped_by, double seconds);

  std::uint64_t campaign() const { return campaign_; }
  Result<std::uint64_t> count_runs();  // of this campaign

 private:
  struct Connection;
  explicit Store(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
  std::uint64_t campaign_ = 0;
};

}  // namespace heddle::campaign
