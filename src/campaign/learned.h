// What a campaign has learned from its runs and gives to later ones: scheduling points, how many of them each thread passes,
// who touches what. Merged in the order of run numbers, so that it never depends on --jobs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "campaign/run_record.h"
#include "campaign/state_bytes.h"

namespace heddle::campaign {

class Learned {
 public:
  void merge(const RunRecord& record);

  const std::vector<ObjectId>& points() const { return points_; }
  std::vector<ThreadProfile> profile() const;
  std::vector<AccessProfile> accesses() const;  // not yet numbered
  // What placements of noise learn from one run for the next.
  std::vector<NoiseLesson> lessons(LessonKind kind) const;
  std::uint64_t expected_steps() const;  // median; 0: unknown
  std::uint32_t expected_threads() const { return most_threads_; }
  bool wants_release_points() const { return wants_release_points_; }

  void save(StateWriter& to) const;
  void restore(StateReader& from);

 private:
  struct ThreadSum {
    std::uint64_t runs = 0;
    std::uint64_t points = 0;
    std::uint64_t points_subtree = 0;
    std::uint64_t parent_path_hash = 0;
  };
  struct AccessSum {
    std::uint64_t runs = 0;
    std::uint64_t count = 0;
    EventKind kind{};
  };
  using AccessKey =
      std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;  // thread, site, object
  using LessonKey = std::tuple<LessonKind, std::uint64_t, std::uint64_t>;

  void merge_lessons(const std::vector<NoiseLesson>& lessons);
  void merge_threads(const std::vector<ThreadRecord>& threads);

  std::vector<ObjectId> points_;  // in the order found
  std::set<ObjectId> known_points_;
  std::map<std::uint64_t, ThreadSum> threads_;  // by path hash: iterated in its order
  std::map<AccessKey, AccessSum> accesses_;
  std::vector<AccessKey> access_order_;
  std::map<LessonKey, std::uint64_t> lessons_;  // value: bits, of kinds that have some
  std::vector<std::uint64_t> steps_;            // of recent runs
  std::size_t next_step_ = 0;
  std::uint32_t most_threads_ = 0;
  bool wants_release_points_ = false;
};

}  // namespace heddle::campaign
