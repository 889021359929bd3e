// Avio, Avio*: two accesses of one thread to a variable, and the last access of another thread between them (001 3.2); the
// starred one with both threads.
#pragma once

#include "coverage/metric.h"

namespace heddle {

class AvioCoverage final : public Metric {
 public:
  constexpr AvioCoverage() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  MetricContext context_ = {};
  MetricRow plain_ = {};
  MetricRow starred_ = {};
};

}  // namespace heddle
