#include "campaign/coverage_missing.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "coverage/catalog.h"

namespace heddle::campaign {

namespace {

using Parts = std::vector<PartKey>;

Parts parts_of(const TaskRecord& task) {
  Parts parts;
  for (std::size_t i = 0; i < task.part_count && i < kMostParts; ++i) {
    parts.emplace_back(task.kinds[i], task.parts[i]);
  }
  return parts;
}

class Search {
 public:
  Search(std::uint8_t metric, std::span<const TaskRecord> tasks, const CoverageNames& names)
      : metric_(metric), names_(names) {
    for (const TaskRecord& task : tasks) {
      tasks_.push_back(parts_of(task));
      texts_.insert(names.text(task));
    }
  }

  // The same task with two parts exchanged: the other order of a pair.
  void exchanged(std::size_t first, std::size_t second) {
    for (Parts parts : tasks_) {
      if (parts.size() <= std::max(first, second)) continue;
      std::swap(parts[first], parts[second]);
      want(parts);
    }
  }

  // The same task with every one of these words.
  void with_words(std::size_t at, std::initializer_list<std::uint64_t> words) {
    for (Parts parts : tasks_) {
      for (const std::uint64_t word : words) {
        if (parts.size() <= at) continue;
        parts[at] = {PartKind::word, word};
        want(parts);
      }
    }
  }

  // Every value of part `a` with every value of part `b`, among tasks that agree in part `same`.
  void crossed(std::size_t same, std::size_t a, std::size_t b) {
    std::map<PartKey, std::pair<std::set<PartKey>, std::set<PartKey>>> groups;
    for (const Parts& parts : tasks_) {
      if (parts.size() <= std::max(a, b)) continue;
      groups[parts[same]].first.insert(parts[a]);
      groups[parts[same]].second.insert(parts[b]);
    }
    for (Parts parts : tasks_) {
      for (const PartKey& other : groups[parts[same]].second) {
        if (parts.size() <= b) continue;
        parts[b] = other;
        want(parts);
      }
    }
  }

  std::vector<std::string> take() { return std::move(missing_); }

 private:
  void want(const Parts& parts) {
    TaskRecord task{};
    task.metric = metric_;
    for (const PartKey& part : parts) {
      task.kinds[task.part_count] = part.first;
      task.parts[task.part_count++] = part.second;
    }
    std::string text = names_.text(task);
    if (texts_.insert(text).second) missing_.push_back(std::move(text));
  }

  std::uint8_t metric_;
  const CoverageNames& names_;
  std::vector<Parts> tasks_;
  std::set<std::string> texts_;
  std::vector<std::string> missing_;
};

}  // namespace

std::vector<std::string> missing_tasks(std::uint8_t metric, std::span<const TaskRecord> tasks,
                                       const CoverageNames& names) {
  const std::string_view name = metric_catalog()[metric].name;
  Search search(metric, tasks, names);
  if (name == "method") search.with_words(1, {0, 1});    // never interrupted, always interrupted
  if (name == "method-pair") search.exchanged(0, 1);     // the other way round
  if (name == "Sync") search.with_words(1, {1, 2});      // never contended
  if (name == "ConcurPairs") search.with_words(2, {1});  // never with a switch between
  if (name == "DUPairs") search.crossed(0, 1, 2);        // a use that never met a definition
  if (name == "reads-from") search.crossed(0, 1, 2);
  if (name == "GoodLock") {
    // Which locks were nested the other way round is a matter of the locks alone.
    search.exchanged(2, 3);
  }
  if (name == "HBPair") search.crossed(2, 0, 1);  // a release that never met an acquisition
  return search.take();
}

}  // namespace heddle::campaign
