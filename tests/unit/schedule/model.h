// A model of a program and of the controlled engine, for measuring strategies: threads are coroutines whose every
// shared operation is a scheduling point, run one at a time as Strategy::pick says. No clock, no kernel, no heap layout:
// a run of a model is a function of the strategy and its seed.
#pragma once

#include <coroutine>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "contract/control_block.h"
#include "schedule/access_recorder.h"
#include "schedule/strategy.h"

namespace heddle::model {

class World;

// The body of a model thread.
struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  std::coroutine_handle<promise_type> handle;
};
using Body = std::function<Task(World&)>;

// A shared operation: awaiting it is a scheduling point, resuming performs it.
struct Operation {
  World& world;
  EventKind kind;
  std::uint32_t object;
  long value;
  std::uint32_t site;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept;
  long await_resume();
};

class World {
 public:
  // --- for model programs; a site is the line it is written on ---
  Operation read(std::uint32_t object, std::uint32_t site = __builtin_LINE()) {
    return {*this, EventKind::read, object, 0, site};
  }
  Operation write(std::uint32_t object, long value, std::uint32_t site = __builtin_LINE()) {
    return {*this, EventKind::write, object, value, site};
  }
  // Atomic; returns the value before.
  Operation add(std::uint32_t object, long value, std::uint32_t site = __builtin_LINE()) {
    return {*this, EventKind::atomic_rmw, object, value, site};
  }
  Operation lock(std::uint32_t mutex, std::uint32_t site = __builtin_LINE()) {
    return {*this, EventKind::mutex_lock, mutex, 0, site};
  }
  Operation unlock(std::uint32_t mutex, std::uint32_t site = __builtin_LINE()) {
    return {*this, EventKind::mutex_unlock, mutex, 0, site};
  }
  Operation yield(std::uint32_t site = __builtin_LINE()) {
    return {*this, EventKind::yield, 0, 0, site};
  }
  // Returns the child's number, for join().
  Operation spawn(Body body, std::uint32_t site = __builtin_LINE()) {
    spawning_.push_back(std::move(body));
    return {*this, EventKind::thread_create, 0, static_cast<long>(spawning_.size() - 1), site};
  }
  Operation join(long child, std::uint32_t site = __builtin_LINE()) {
    return {*this, EventKind::thread_join, 0, child, site};
  }
  void require(bool condition) { failed_ = failed_ || !condition; }

  // --- for the harness ---
  struct Result {
    bool failed = false;  // require() or deadlock
    bool deadlock = false;
    bool livelock = false;  // step limit
    std::uint64_t steps = 0;
    std::uint64_t schedule_hash = 0;  // of the happens-before order
    std::vector<Decision> decisions;
    std::vector<std::uint8_t> widths;
  };
  Result run(const Body& body, Strategy& strategy, const StrategyContext& context,
             std::uint64_t seed);
  ~World();

  std::vector<ThreadRecord> records() const;
  std::vector<AccessProfile> accesses;  // of this run

 private:
  friend struct Operation;
  struct Thread {
    std::coroutine_handle<Task::promise_type> handle;
    Body body;  // a coroutine lambda's captures live in it
    Operation* pending = nullptr;
    std::uint64_t path_hash = 0;
    std::uint64_t clock = 0;  // hash of its happens-before past
    std::uint32_t points = 0;
    std::uint16_t parent = 0;
    std::uint16_t children = 0;
    bool ended = false;
  };
  struct Variable {
    long value = 0;
    int owner = -1;
    std::uint64_t last_write = 0;  // hash of that event's past
    std::uint64_t reads = 0;       // commutative hash of the reads since
  };

  std::size_t start(Body body, std::uint16_t parent);
  bool enabled(const Thread& thread) const;
  PendingOperation pending(std::size_t index) const;
  void hash_event(const Operation& operation);
  std::size_t step(Strategy& strategy, Prng& prng, Result& result);
  Variable& variable(std::uint32_t object) {
    if (object >= variables_.size()) variables_.resize(object + 1);
    return variables_[object];
  }

  std::deque<Thread> threads_;
  std::deque<Body> spawning_;
  std::vector<Variable> variables_;
  std::vector<PendingOperation> candidates_;
  AccessRecorder recorder_;
  std::size_t current_ = 0;
  bool failed_ = false;
};

inline constexpr std::uint64_t kModelStepLimit = 5000;

inline void Operation::await_suspend(std::coroutine_handle<>) noexcept {
  world.threads_[world.current_].pending = this;
}

inline long Operation::await_resume() {
  world.threads_[world.current_].pending = nullptr;
  world.hash_event(*this);
  World::Variable& variable = world.variable(object);
  switch (kind) {
    case EventKind::read:
      return variable.value;
    case EventKind::write:
      return variable.value = value;
    case EventKind::atomic_rmw:
      variable.value += value;
      return variable.value - value;
    case EventKind::mutex_lock:
      variable.owner = static_cast<int>(world.current_);
      return 0;
    case EventKind::mutex_unlock:
      variable.owner = -1;
      return 0;
    case EventKind::thread_create:
      return static_cast<long>(
          world.start(std::move(world.spawning_[static_cast<std::size_t>(value)]),
                      static_cast<std::uint16_t>(world.current_)));
    default:
      return 0;
  }
}

inline std::size_t World::start(Body body, std::uint16_t parent) {
  const std::size_t index = threads_.size();
  Thread& thread = threads_.emplace_back();
  thread.body = std::move(body);
  thread.handle = thread.body(*this).handle;
  thread.parent = parent;
  thread.path_hash = 1;
  if (index != 0) {
    thread.path_hash = combine(threads_[parent].path_hash, threads_[parent].children++);
    thread.clock = threads_[parent].clock;
  }
  return index;
}

inline bool World::enabled(const Thread& thread) const {
  if (thread.ended) return false;
  if (thread.pending == nullptr) return true;  // about to start
  const Operation& operation = *thread.pending;
  if (operation.kind == EventKind::mutex_lock) {
    return operation.object >= variables_.size() || variables_[operation.object].owner < 0;
  }
  if (operation.kind == EventKind::thread_join) {
    return threads_[static_cast<std::size_t>(operation.value)].ended;
  }
  return true;
}

inline PendingOperation World::pending(std::size_t index) const {
  const Thread& thread = threads_[index];
  PendingOperation result{};
  result.thread = ThreadId{static_cast<std::uint16_t>(index)};
  result.points = thread.points;
  result.path_hash = thread.path_hash;
  result.kind = EventKind::thread_start;
  result.object = make_object(ObjectKind::thread, index);
  if (thread.pending == nullptr) return result;
  const Operation& operation = *thread.pending;
  const bool about_thread =
      operation.kind == EventKind::thread_join || operation.kind == EventKind::thread_create;
  result.kind = operation.kind;
  result.site = make_site(0, operation.site);
  result.object = about_thread
                      ? make_object(ObjectKind::thread, static_cast<std::uint64_t>(operation.value))
                      : make_global(0, operation.object);
  return result;
}

inline void World::hash_event(const Operation& operation) {
  Thread& self = threads_[current_];
  Variable& touched = variable(operation.object);
  self.clock = combine(self.clock, operation.site);
  if (operation.kind == EventKind::thread_join) {
    self.clock = combine(self.clock, threads_[static_cast<std::size_t>(operation.value)].clock);
  } else if (operation.kind == EventKind::read) {
    self.clock = combine(self.clock, touched.last_write);
    touched.reads += mix64(self.clock);
  } else if (operation.kind != EventKind::thread_create && operation.kind != EventKind::yield) {
    self.clock = combine(combine(self.clock, touched.last_write), touched.reads);
    touched.last_write = self.clock;
    touched.reads = 0;
  }
}

// One scheduling point: asks the strategy and records what it decided, as the engine does.
inline std::size_t World::step(Strategy& strategy, Prng& prng, Result& result) {
  Thread& arrived = threads_[current_];
  ++arrived.points;
  candidates_.clear();
  SchedulePoint point{};
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    if (!enabled(threads_[i])) continue;
    candidates_.push_back(pending(i));
    point.current_can_run = point.current_can_run || i == current_;
  }
  if (candidates_.empty()) return threads_.size();
  point.candidates = candidates_;
  point.step = ++result.steps;
  point.current = ThreadId{static_cast<std::uint16_t>(current_)};
  point.current_yields = arrived.pending != nullptr && arrived.pending->kind == EventKind::yield;
  point.current_points = arrived.points;
  point.current_site = make_site(0, arrived.pending == nullptr ? 0 : arrived.pending->site);

  const PendingOperation chosen = candidates_.at(strategy.pick(point, prng));
  result.widths.resize(result.steps + 1);
  result.widths[result.steps] =
      static_cast<std::uint8_t>(candidates_.size() | (point.current_yields ? kWidthYields : 0) |
                                (point.current_can_run ? 0 : kWidthBlocked));
  ThreadId usual = point.current;
  if (!point.current_can_run || point.current_yields) {
    usual = candidates_.front().thread;
    for (std::size_t i = candidates_.size(); i-- > 0;) {
      if (candidates_[i].thread > point.current) usual = candidates_[i].thread;
    }
  }
  if (chosen.thread != usual) {
    result.decisions.push_back(
        {point.step, point.current_points, point.current_site, 0, point.current, chosen.thread,
         DecisionKind::run, point.current_can_run ? SwitchReason::preempted : SwitchReason::blocked,
         static_cast<std::uint16_t>(candidates_.size())});
  }
  recorder_.note(chosen);
  return chosen.thread.value;
}

inline World::Result World::run(const Body& body, Strategy& strategy,
                                const StrategyContext& context, std::uint64_t seed) {
  Result result;
  Prng prng{seed};
  std::uint64_t access_count = 0;
  accesses.resize(1024);
  recorder_.begin_run(accesses, &access_count);
  strategy.begin_run(context, prng);
  start(body, 0);
  while (!failed_ && result.steps < kModelStepLimit) {
    const std::size_t next = step(strategy, prng, result);
    if (next == threads_.size()) break;
    current_ = next;
    threads_[current_].handle.resume();
    threads_[current_].ended = threads_[current_].handle.done();
  }
  accesses.resize(access_count);
  bool all_ended = true;
  for (const Thread& thread : threads_) {
    all_ended = all_ended && thread.ended;
    result.schedule_hash = combine(result.schedule_hash, thread.clock);
  }
  result.livelock = result.steps >= kModelStepLimit;
  result.deadlock = !failed_ && !all_ended && !result.livelock;
  result.failed = failed_ || result.deadlock;
  return result;
}

inline World::~World() {
  for (Thread& thread : threads_) thread.handle.destroy();
}

inline std::vector<ThreadRecord> World::records() const {
  std::vector<ThreadRecord> records;
  for (const Thread& thread : threads_) {
    ThreadRecord record{};
    record.parent = ThreadId{thread.parent};
    record.path_hash = thread.path_hash;
    record.points = thread.points;
    records.push_back(record);
  }
  return records;
}

}  // namespace heddle::model
