// ConcurPairs: two places that were passed one after the other, and whether a switch came between them
// (Bron, Farchi, Magid, Nir, Ur, PPoPP 2005; 001 3.1).
#pragma once

#include "coverage/metric.h"

namespace heddle {

class ConcurPairs final : public Metric {
 public:
  constexpr ConcurPairs() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  MetricContext context_ = {};
  MetricRow row_ = {};
  std::uint64_t last_place_ = 0;
  ThreadId last_thread_ = kNoThread;
};

}  // namespace heddle
