// Eraser, Eraser*: a place reaches a variable in a state of Eraser's automaton, guarded by a set of locks (001 3.2); the
// starred one with the thread. The state is that before the access: virgin is the first one's.
#pragma once

#include "coverage/metric.h"

namespace heddle {

class EraserCoverage final : public Metric {
 public:
  constexpr EraserCoverage() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  MetricContext context_ = {};
  MetricRow plain_ = {};
  MetricRow starred_ = {};
};

}  // namespace heddle
