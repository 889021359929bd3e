// One detector on a hand-written stream, and what it found.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "../analysis/event_feed.h"
#include "detect/detector_set.h"

namespace heddle::test {

class Bench {
 public:
  explicit Bench(std::string_view detector, std::uint64_t memory = 64 << 20) {
    DetectorMask mask = 0;
    for (std::size_t i = 0; i < detector_catalog().size(); ++i) {
      if (detector_catalog()[i].name == detector) mask = bit_of_row(i);
    }
    EXPECT_NE(mask, 0u) << "there is no detector " << detector;
    log_->begin_run(area_, &count_, &dropped_, nullptr);
    set_->begin_run({mask, map_pages, memory}, *log_);
  }

  void on(const Event& event) { set_->on(event); }
  Feed<Bench>& feed() { return feed_; }
  DetectorSet& set() { return *set_; }

  std::vector<Finding> end() {
    set_->end_run();
    return found();
  }
  std::vector<Finding> found() const { return {area_.begin(), area_.begin() + count_}; }

 private:
  std::unique_ptr<FindingLog> log_ = std::make_unique<FindingLog>();
  std::unique_ptr<DetectorSet> set_ = std::make_unique<DetectorSet>();
  std::vector<Finding> area_ = std::vector<Finding>(512);
  std::uint32_t count_ = 0;
  std::uint64_t dropped_ = 0;
  Feed<Bench> feed_{*this};
};

}  // namespace heddle::test
