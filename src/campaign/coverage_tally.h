// What a campaign has covered, by metric: tasks, in how many runs each, and when the last new one came.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "campaign/coverage_names.h"
#include "campaign/run_record.h"
#include "campaign/species.h"
#include "campaign/state_bytes.h"

namespace heddle::campaign {

class CoverageTally {
 public:
  // Counts above are not told apart: estimates look at rare tasks.
  static constexpr std::uint32_t kMostRuns = 100;

  struct Entry {
    TaskRecord task{};
    std::uint64_t first_run = 0;
    std::uint32_t runs = 0;
    bool changed = false;
  };
  struct MetricTotal {
    std::uint64_t tasks = 0;
    std::uint64_t weight = 0;
    std::uint64_t last_new_run = 0;
    std::uint64_t once = 0;               // tasks that one run covered
    std::uint64_t twice = 0;              // and two
    std::vector<std::uint64_t> new_runs;  // run numbers, ascending, one per new task
  };

  // In the order of runs. Returns how many tasks were new.
  std::uint64_t merge(const RunRecord& record);
  void load(const Entry& entry);

  const std::map<std::uint8_t, MetricTotal>& totals() const { return totals_; }
  const MetricTotal* find(std::uint8_t metric) const;
  // The tasks of one metric in a run that was merged. A run tells only what a task is that its process had not told before, so
  // whoever counts some runs by themselves merges all and asks here.
  std::vector<std::uint64_t> tasks_in(const RunRecord& record, std::uint8_t metric) const;
  SpeciesEstimate estimate(std::uint8_t metric, std::uint64_t runs) const;
  std::uint64_t dropped() const { return dropped_; }
  CoverageNames& names() { return names_; }
  std::vector<Entry> entries_of(std::uint8_t metric) const;  // by first run

  // Those that changed since the last call, in the order in which they were first seen.
  std::vector<Entry*> take_changes();

  // Only what the store does not hold.
  void save(StateWriter& to) const;
  void restore(StateReader& from);

 private:
  void describe(const RunRecord& record);
  bool count(Entry& entry, std::uint64_t run);

  std::unordered_map<std::uint64_t, Entry> entries_;          // by feature
  std::unordered_map<std::uint64_t, std::uint64_t> aliases_;  // functions: as told, as kept
  std::map<std::uint8_t, MetricTotal> totals_;
  std::vector<std::uint64_t> changes_;
  CoverageNames names_;
  std::uint64_t dropped_ = 0;
};

}  // namespace heddle::campaign
