// GoodLock, GoodLock*: a thread that took one lock at a place asks for another at a second place (001 3.2); the starred one
// with the thread.
#pragma once

#include "coverage/metric.h"

namespace heddle {

class GoodlockCoverage final : public Metric {
 public:
  constexpr GoodlockCoverage() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  MetricContext context_ = {};
  MetricRow plain_ = {};
  MetricRow starred_ = {};
};

}  // namespace heddle
