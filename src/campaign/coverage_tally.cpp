#include "campaign/coverage_tally.h"

#include <algorithm>

namespace heddle::campaign {

namespace {

bool names_functions(const TaskRecord& task) {
  return std::find(task.kinds, task.kinds + task.part_count, PartKind::function) !=
         task.kinds + task.part_count;
}

}  // namespace

// A function is told by a place inside it, of which it has many: what is kept goes by its name.
void CoverageTally::describe(const RunRecord& record) {
  if (record.coverage.tasks.empty()) return;
  names_.learn(record.coverage, record.modules);
  for (TaskRecord task : record.coverage.tasks) {
    const std::uint64_t told = task.feature.value;
    if (names_functions(task)) {
      std::uint64_t hash = task.metric;
      for (std::size_t i = 0; i < task.part_count; ++i) {
        const std::string_view name = names_.name({task.kinds[i], task.parts[i]});
        hash = task.kinds[i] == PartKind::function ? hash_bytes(name.data(), name.size(), hash)
                                                   : combine(hash, task.parts[i]);
      }
      task.feature = Feature{hash | 1};
      aliases_[told] = task.feature.value;
    }
    entries_.try_emplace(task.feature.value).first->second.task = task;
  }
}

bool CoverageTally::count(Entry& entry, std::uint64_t run) {
  if (entry.runs == kMostRuns) return false;
  MetricTotal& total = totals_[entry.task.metric];
  if (!entry.changed) {
    entry.changed = true;
    changes_.push_back(entry.task.feature.value);
  }
  total.once -= entry.runs == 1 ? 1 : 0;
  total.twice -= entry.runs == 2 ? 1 : 0;
  ++entry.runs;
  total.once += entry.runs == 1 ? 1 : 0;
  total.twice += entry.runs == 2 ? 1 : 0;
  if (entry.runs > 1) return false;
  entry.first_run = run;
  ++total.tasks;
  total.weight += entry.task.weight;
  total.last_new_run = run;
  total.new_runs.push_back(run);
  return true;
}

std::uint64_t CoverageTally::merge(const RunRecord& record) {
  describe(record);
  dropped_ += record.coverage.dropped;
  std::uint64_t fresh = 0;
  std::vector<std::uint64_t> kept;
  for (const std::uint64_t told : record.coverage.features) {
    const auto alias = aliases_.find(told);
    kept.push_back(alias == aliases_.end() ? told : alias->second);
  }
  // Two places of one function are one task, and count once a run.
  std::vector<std::uint64_t> sorted = kept;
  std::ranges::sort(sorted);
  const bool twice = std::ranges::adjacent_find(sorted) != sorted.end();
  std::unordered_map<std::uint64_t, bool> counted;
  for (const std::uint64_t feature : kept) {
    if (twice && !counted.try_emplace(feature, true).second) continue;
    const auto entry = entries_.find(feature);
    if (entry == entries_.end())
      continue;  // its description was lost with a run that did not count
    fresh += count(entry->second, record.input.plan.run) ? 1 : 0;
  }
  return fresh;
}

std::vector<std::uint64_t> CoverageTally::tasks_in(const RunRecord& record,
                                                   std::uint8_t metric) const {
  std::vector<std::uint64_t> tasks;
  for (const std::uint64_t told : record.coverage.features) {
    const auto alias = aliases_.find(told);
    const auto entry = entries_.find(alias == aliases_.end() ? told : alias->second);
    if (entry != entries_.end() && entry->second.task.metric == metric) {
      tasks.push_back(entry->first);
    }
  }
  return tasks;
}

void CoverageTally::load(const Entry& entry) {
  Entry& kept = entries_[entry.task.feature.value];
  kept = entry;
  MetricTotal& total = totals_[entry.task.metric];
  ++total.tasks;
  total.weight += entry.task.weight;
  total.last_new_run = std::max(total.last_new_run, entry.first_run);
  total.once += entry.runs == 1 ? 1 : 0;
  total.twice += entry.runs == 2 ? 1 : 0;
  total.new_runs.insert(std::ranges::upper_bound(total.new_runs, entry.first_run), entry.first_run);
}

const CoverageTally::MetricTotal* CoverageTally::find(std::uint8_t metric) const {
  const auto known = totals_.find(metric);
  return known == totals_.end() ? nullptr : &known->second;
}

SpeciesEstimate CoverageTally::estimate(std::uint8_t metric, std::uint64_t runs) const {
  const MetricTotal* const total = find(metric);
  if (total == nullptr) return {};
  return estimate_species({total->tasks, total->once, total->twice, runs});
}

std::vector<CoverageTally::Entry*> CoverageTally::take_changes() {
  std::vector<Entry*> changed;
  for (const std::uint64_t feature : changes_) {
    Entry& entry = entries_.at(feature);
    entry.changed = false;
    changed.push_back(&entry);
  }
  changes_.clear();
  return changed;
}

std::vector<CoverageTally::Entry> CoverageTally::entries_of(std::uint8_t metric) const {
  std::vector<Entry> found;
  for (const auto& [feature, entry] : entries_) {
    if (entry.task.metric == metric && entry.runs > 0) found.push_back(entry);
  }
  std::ranges::sort(found, [](const Entry& a, const Entry& b) {
    return std::pair(a.first_run, a.task.feature.value) <
           std::pair(b.first_run, b.task.feature.value);
  });
  return found;
}

void CoverageTally::save(StateWriter& to) const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> aliases(aliases_.begin(), aliases_.end());
  std::ranges::sort(aliases);
  to.put(std::uint64_t{aliases.size()});
  for (const auto& [told, kept] : aliases) {
    to.put(told);
    to.put(kept);
  }
  to.put(dropped_);
}

void CoverageTally::restore(StateReader& from) {
  for (auto left = from.get<std::uint64_t>(); left > 0 && from.ok(); --left) {
    const auto told = from.get<std::uint64_t>();
    aliases_[told] = from.get<std::uint64_t>();
  }
  dropped_ = from.get<std::uint64_t>();
}

}  // namespace heddle::campaign
