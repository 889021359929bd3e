#include "campaign/learned.h"

#include <algorithm>

namespace heddle::campaign {

namespace {
constexpr std::size_t kStepsKept = 201;  // runs the median is taken over
}

void Learned::merge(const RunRecord& record) {
  for (const ObjectId point : record.new_points) {
    if (points_.size() < kPointCapacity && known_points_.insert(point).second) {
      points_.push_back(point);
    }
  }
  merge_threads(record.threads);
  for (const AccessProfile& access : record.accesses) {
    const AccessKey key{access.path_hash, access.site.value, access.object.value};
    const auto [at, fresh] = accesses_.try_emplace(key);
    if (fresh) access_order_.push_back(key);
    ++at->second.runs;
    at->second.count += access.count;
    at->second.kind = access.kind;
  }
  merge_lessons(record.lessons);
  if (record.outcome.steps > 0) {
    if (steps_.size() < kStepsKept) {
      steps_.push_back(record.outcome.steps);
    } else {
      steps_[next_step_] = record.outcome.steps;
      next_step_ = (next_step_ + 1) % kStepsKept;
    }
  }
  wants_release_points_ = wants_release_points_ || record.outcome.wants_release_points != 0;
  most_threads_ = std::max(most_threads_, record.outcome.thread_count);
}

// The tasks of a place of synchronisation are bits, summed over the runs; everything else is there or not.
void Learned::merge_lessons(const std::vector<NoiseLesson>& lessons) {
  for (const NoiseLesson& lesson : lessons) {
    const bool bits = lesson.kind == LessonKind::sync_task;
    const LessonKey key{lesson.kind, lesson.first, bits ? 0 : lesson.second};
    lessons_[key] |= bits ? lesson.second : 0;
  }
}

std::vector<NoiseLesson> Learned::lessons(LessonKind kind) const {
  std::vector<NoiseLesson> result;
  for (auto at = lessons_.lower_bound({kind, 0, 0}); at != lessons_.end(); ++at) {
    const auto& [its_kind, first, second] = at->first;
    if (its_kind != kind || result.size() == kLessonCapacity) break;
    result.push_back({kind, first, kind == LessonKind::sync_task ? at->second : second});
  }
  return result;
}

void Learned::merge_threads(const std::vector<ThreadRecord>& threads) {
  // A child comes after its parent, so one walk from the end sums every subtree.
  std::vector<std::uint64_t> subtree(threads.size());
  for (std::size_t i = threads.size(); i-- > 0;) {
    subtree[i] += threads[i].points;
    const std::size_t parent = threads[i].parent.value;
    if (parent < i) subtree[parent] += subtree[i];
  }
  for (std::size_t i = 0; i < threads.size(); ++i) {
    ThreadSum& sum = threads_[threads[i].path_hash];
    ++sum.runs;
    sum.points += threads[i].points;
    sum.points_subtree += subtree[i];
    const std::size_t parent = threads[i].parent.value;
    sum.parent_path_hash = parent < i ? threads[parent].path_hash : 0;
  }
}

std::vector<ThreadProfile> Learned::profile() const {
  std::vector<ThreadProfile> result;
  for (const auto& [path, sum] : threads_) {
    if (result.size() == kMaxThreads) break;
    const auto mean = [&](std::uint64_t total) { return (total + sum.runs - 1) / sum.runs; };
    result.push_back({path, mean(sum.points), mean(sum.points_subtree), sum.parent_path_hash});
  }
  return result;
}

std::vector<AccessProfile> Learned::accesses() const {
  std::vector<AccessProfile> result;
  for (const AccessKey& key : access_order_) {
    if (result.size() == kAccessCapacity) break;
    const AccessSum& sum = accesses_.at(key);
    AccessProfile access{};
    access.path_hash = std::get<0>(key);
    access.site = SiteId{std::get<1>(key)};
    access.object = ObjectId{std::get<2>(key)};
    access.count = static_cast<std::uint32_t>((sum.count + sum.runs - 1) / sum.runs);
    access.kind = sum.kind;
    result.push_back(access);
  }
  return result;
}

std::uint64_t Learned::expected_steps() const {
  if (steps_.empty()) return 0;
  std::vector<std::uint64_t> sorted = steps_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

void Learned::save(StateWriter& to) const {
  to.list(points_);
  to.put(std::uint64_t{threads_.size()});
  for (const auto& [path, sum] : threads_) {
    to.put(path);
    to.put(sum);
  }
  to.put(std::uint64_t{access_order_.size()});
  for (const AccessKey& key : access_order_) {
    to.put(std::get<0>(key));
    to.put(std::get<1>(key));
    to.put(std::get<2>(key));
    const AccessSum& sum = accesses_.at(key);
    to.put(sum.runs);
    to.put(sum.count);
    to.put(sum.kind);
  }
  to.list(steps_);
  to.put(std::uint64_t{next_step_});
  to.put(most_threads_);
  to.put(std::uint64_t{lessons_.size()});
  for (const auto& [key, bits] : lessons_) {
    to.put(std::get<0>(key));
    to.put(std::get<1>(key));
    to.put(std::get<2>(key));
    to.put(bits);
  }
  to.put(wants_release_points_);
}

void Learned::restore(StateReader& from) {
  *this = Learned();
  points_ = from.list<ObjectId>();
  known_points_ = {points_.begin(), points_.end()};
  for (auto left = from.get<std::uint64_t>(); left > 0 && from.ok(); --left) {
    const auto path = from.get<std::uint64_t>();
    threads_[path] = from.get<ThreadSum>();
  }
  for (auto left = from.get<std::uint64_t>(); left > 0 && from.ok(); --left) {
    AccessKey key;
    std::get<0>(key) = from.get<std::uint64_t>();
    std::get<1>(key) = from.get<std::uint64_t>();
    std::get<2>(key) = from.get<std::uint64_t>();
    AccessSum sum;
    sum.runs = from.get<std::uint64_t>();
    sum.count = from.get<std::uint64_t>();
    sum.kind = from.get<EventKind>();
    if (accesses_.try_emplace(key, sum).second) access_order_.push_back(key);
  }
  steps_ = from.list<std::uint64_t>();
  next_step_ = from.get<std::uint64_t>();
  most_threads_ = from.get<std::uint32_t>();
  for (auto left = from.get<std::uint64_t>(); left > 0 && from.ok(); --left) {
    LessonKey key;
    std::get<0>(key) = from.get<LessonKind>();
    std::get<1>(key) = from.get<std::uint64_t>();
    std::get<2>(key) = from.get<std::uint64_t>();
    lessons_[key] = from.get<std::uint64_t>();
  }
  wants_release_points_ = from.get<bool>();
}

}  // namespace heddle::campaign
