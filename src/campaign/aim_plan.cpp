#include "campaign/aim_plan.h"

#include <cstring>
#include <string_view>

#include "coverage/catalog.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kMostTasks = 2000;  // kept after every round, so not without end

// Which parts of a metric's task are object, first and second place.
struct Shape {
  std::string_view metric;
  std::size_t object, first, second;
};
constexpr Shape kShapes[] = {
    {"reads-from", 0, 1, 2}, {"DUPairs", 0, 1, 2}, {"HBPair", 2, 0, 1}, {"HBPair*", 2, 0, 1}};

const Shape* shape_of(std::uint8_t metric) {
  if (metric >= metric_catalog().size()) return nullptr;
  for (const Shape& shape : kShapes) {
    if (shape.metric == metric_catalog()[metric].name) return &shape;
  }
  return nullptr;
}

}  // namespace

void AimPlan::offer(const Pair& pair) {
  if (covered_.contains(pair)) return;
  const std::uint64_t tried = tried_[pair];
  if (tried < kTries) targets_.insert({tried, pair});
}

void AimPlan::cover(const Task& task) {
  if (tasks_.size() == kMostTasks || !tasks_.insert(task).second) return;
  if (covered_.insert(task.pair).second) {
    if (const auto known = tried_.find(task.pair); known != tried_.end()) {
      targets_.erase({known->second, task.pair});
      tried_.erase(known);
    }
  }
  Places& places = objects_[task.object];
  places.firsts.insert(task.pair.first);
  places.seconds.insert(task.pair.second);
  for (const std::uint64_t second : places.seconds) offer({task.pair.first, second});
  for (const std::uint64_t first : places.firsts) offer({first, task.pair.second});
}

void AimPlan::learn(const RunRecord& record) {
  for (const TaskRecord& task : record.coverage.tasks) {
    const Shape* const shape = shape_of(task.metric);
    if (shape == nullptr || task.part_count < 3) continue;
    cover({task.parts[shape->object], {task.parts[shape->first], task.parts[shape->second]}});
  }
}

StrategySettings AimPlan::next() {
  const auto [tried, pair] = *targets_.begin();
  targets_.erase(targets_.begin());
  tried_[pair] = tried + 1;
  if (tried + 1 < kTries) targets_.insert({tried + 1, pair});
  constexpr std::string_view kName = "aim";
  StrategySettings settings{};
  std::memcpy(settings.name, kName.data(), kName.size());
  settings.arguments[0] = static_cast<std::int64_t>(pair.first);
  settings.arguments[1] = static_cast<std::int64_t>(pair.second);
  return settings;
}

void AimPlan::save(StateWriter& to) const {
  to.list(std::vector<Task>(tasks_.begin(), tasks_.end()));
  std::vector<Target> tried;
  for (const auto& [pair, times] : tried_) tried.push_back({times, pair});
  to.list(tried);
}

void AimPlan::restore(StateReader& from) {
  const std::vector<Task> tasks = from.list<Task>();
  for (const Target& target : from.list<Target>()) tried_[target.pair] = target.tried;
  for (const Task& task : tasks) cover(task);
}

}  // namespace heddle::campaign
