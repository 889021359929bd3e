// One metric on a hand-written stream, and the tasks it covered, as text with the numbers that the test gave.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "../analysis/event_feed.h"
#include "coverage/metric_set.h"

namespace heddle::test {

// A task is written as its parts in order: "p12" a place, "f12" a function, "o100" an object, "T1" a thread (by number, in
// the order of first appearance), "w2" a word.
class MetricBench {
 public:
  explicit MetricBench(std::string_view metric) {
    for (std::size_t i = 0; i < metric_catalog().size(); ++i) {
      if (metric_catalog()[i].name == metric) row_ = i;
    }
    EXPECT_LT(row_, metric_catalog().size()) << "there is no metric " << metric;
    begin();
  }

  // Another run with the same area, as the next run of a worker.
  void begin() {
    ++area_->epoch;
    set_->begin_run({bit_of_metric(row_), map_pages, 64 << 20, {}, area_.get()});
  }

  void on(const Event& event) { set_->on(event); }
  Feed<MetricBench>& feed() { return feed_; }

  void lock(unsigned thread, std::uint64_t object, std::uint64_t site) {
    send(thread, EventKind::mutex_lock, object, site);
  }
  void unlock(unsigned thread, std::uint64_t object, std::uint64_t site) {
    send(thread, EventKind::mutex_unlock, object, site);
  }
  void arrive(unsigned thread, std::uint64_t object, std::uint64_t site) {
    Event event = Feed<MetricBench>::make(thread, EventKind::mutex_lock, object);
    event.phase = EventPhase::before;
    event.site = SiteId{site};
    feed_.send(event);
  }
  void send(unsigned thread, EventKind kind, std::uint64_t object, std::uint64_t site,
            std::uint64_t argument = 0, EventPhase phase = EventPhase::after) {
    Event event = Feed<MetricBench>::make(thread, kind, object);
    event.site = SiteId{site};
    event.argument = argument;
    event.phase = phase;
    if (kind == EventKind::atomic_store) event.order = MemoryOrder::release;
    if (kind == EventKind::atomic_load) event.order = MemoryOrder::acquire;
    feed_.send(event);
  }
  void enter(unsigned thread, std::uint64_t call_site) {
    send(thread, EventKind::function_enter, 0, call_site);
  }
  void leave(unsigned thread) { send(thread, EventKind::function_exit, 0, 1); }

  std::set<std::string> tasks() {
    std::set<std::string> all;
    for (std::uint64_t i = 0; i < area_->described_count; ++i)
      all.insert(text(area_->described[i]));
    return all;
  }
  const CoverageArea& area() const { return *area_; }

 private:
  std::string text(const TaskRecord& task) {
    std::string result;
    for (std::size_t i = 0; i < task.part_count; ++i) {
      result += i == 0 ? "" : " ";
      const std::string value = std::to_string(task.parts[i]);
      switch (task.kinds[i]) {
        case PartKind::place:
          result += "p" + value;
          break;
        case PartKind::function:
          result += "f" + value;
          break;
        case PartKind::object:
          result += "o" + value;
          break;
        case PartKind::word:
          result += "w" + value;
          break;
        default:
          result += "T" + thread(task.parts[i]);
      }
    }
    return result;
  }
  std::string thread(std::uint64_t id) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      if (threads_[i] == id) return std::to_string(i + 1);
    }
    threads_.push_back(id);
    return std::to_string(threads_.size());
  }

  std::size_t row_ = 99;
  std::unique_ptr<CoverageArea> area_ = std::make_unique<CoverageArea>();
  std::unique_ptr<MetricSet> set_ = std::make_unique<MetricSet>();
  Feed<MetricBench> feed_{*this};
  std::vector<std::uint64_t> threads_;
};

using Tasks = std::set<std::string>;

// Threads 1 and 2, which behave differently: identity comes from what they call first.
inline void two_kinds_of_threads(MetricBench& bench) {
  bench.feed().create(0, 1);
  bench.feed().create(0, 2);
  bench.enter(1, 901);
  bench.enter(2, 902);
}

}  // namespace heddle::test
