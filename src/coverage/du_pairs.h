// DUPairs, DUPairs*: a value is defined at one place and used at another (Yang, Souter, Pollock, ISSTA 1998; 001 3.1), the
// starred one with both threads. reads-from: every read with the place it reads from, the initial value included.
#pragma once

#include "coverage/metric.h"

namespace heddle {

class DefinitionUsePairs final : public Metric {
 public:
  constexpr DefinitionUsePairs() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  MetricContext context_ = {};
  MetricRow pairs_ = {};
  MetricRow starred_ = {};
  MetricRow reads_from_ = {};
};

}  // namespace heddle
