// Where metrics put the tasks they see: into the map that the tool shares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "base/fixed_vector.h"
#include "base/hash.h"
#include "contract/feature.h"

namespace heddle {

class Identities;

struct Part {
  PartKind kind;
  std::uint64_t value;
};
constexpr Part at_place(std::uint64_t site) { return {PartKind::place, site}; }
constexpr Part in_function(std::uint64_t site) { return {PartKind::function, site}; }
constexpr Part of_object(std::uint64_t object) { return {PartKind::object, object}; }
constexpr Part by_thread(std::uint64_t thread) { return {PartKind::thread, thread}; }
constexpr Part as_word(std::uint64_t word) { return {PartKind::word, word}; }

// The parts of one task. What does not fit counts in the feature all the same, and is not shown.
class Task {
 public:
  Task(std::initializer_list<Part> parts) {
    for (const Part& part : parts) add(part);
  }
  void add(Part part) {
    hash_ = combine(combine(hash_, static_cast<std::uint64_t>(part.kind)), part.value);
    if (!parts_.full()) parts_.push_back(part);
  }
  std::uint64_t hash() const { return hash_; }
  const FixedVector<Part, kMostParts>& parts() const { return parts_; }

 private:
  FixedVector<Part, kMostParts> parts_;
  std::uint64_t hash_ = 0;
};

class TaskSink {
 public:
  constexpr TaskSink() = default;

  // Both live longer than the run. `area` is where the last run of this program left it.
  void begin_run(CoverageArea& area, Identities& identities);

  // `metric` is a row of the catalogue, `name_hash` stands for its name.
  void cover(std::uint8_t metric, std::uint64_t name_hash, const Task& task,
             std::uint32_t weight = 1);

 private:
  void describe(std::uint64_t feature, std::uint8_t metric, const Task& task, std::uint32_t weight);

  CoverageArea* area_ = nullptr;
  Identities* identities_ = nullptr;
};

}  // namespace heddle
