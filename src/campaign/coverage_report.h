// What `heddle coverage` tells of a store: totals, curves, what is missing, what each strategy brought.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "campaign/species.h"
#include "host/result.h"

namespace heddle::campaign {

struct CoverageRequest {
  std::filesystem::path campaign;    // a directory or campaign.sqlite
  std::vector<std::string> metrics;  // empty: all that were kept
  std::uint64_t number = 0;          // of the campaign; 0: the last one
};

struct StrategyYield {
  std::string strategy;
  std::uint64_t runs = 0;
  std::uint64_t tasks = 0;  // first covered by it
};

struct MetricReport {
  std::string name;
  std::uint64_t tasks = 0;             // of this campaign
  std::uint64_t tasks_of_program = 0;  // of all campaigns of this build
  std::uint64_t weight = 0;
  std::uint64_t last_new_run = 0;
  SpeciesEstimate unseen;
  // (run, tasks covered so far), where it grew.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> curve;
  std::vector<StrategyYield> yields;
  std::vector<std::string> task_texts;  // in the order in which they were first covered
  std::vector<std::string> missing;     // never covered, though their parts were seen
};

struct CoverageReport {
  std::string program;
  std::string build_id;
  std::string strategy;
  std::uint64_t campaign = 0;
  std::uint64_t campaigns = 0;  // of this build in the store
  std::uint64_t seed = 0;
  std::uint64_t runs = 0;
  std::vector<MetricReport> metrics;  // in the catalogue's order
};

Result<CoverageReport> coverage_report(const CoverageRequest& request);

}  // namespace heddle::campaign
