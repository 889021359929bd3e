// Coverage tasks as people read them: names and source lines, never an address.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/run_record.h"

namespace heddle::campaign {

using PartKey = std::pair<PartKind, std::uint64_t>;

// The readable form of each part, found when it is first seen: later the program may have been built again.
class CoverageNames {
 public:
  // Of the parts of these tasks, those that have no name yet.
  void learn(const RunCoverage& coverage, std::span<const ModuleRecord> modules);
  void put(PartKey key, std::string name) { names_[key] = std::move(name); }

  // "?" for what was never learned.
  std::string_view name(PartKey key) const;
  std::string text(const TaskRecord& task) const;

  const std::map<PartKey, std::string>& all() const { return names_; }
  // Learned since the last call.
  std::vector<PartKey> take_new() { return std::exchange(new_, {}); }

 private:
  std::map<PartKey, std::string> names_;
  std::vector<PartKey> new_;
};

// The n-th of a metric's words.
std::string_view word_of(std::string_view words, std::uint64_t number);

}  // namespace heddle::campaign
