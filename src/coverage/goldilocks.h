// GoldiLock, GoldiLock*: a place reaches a variable, and Goldilocks' set says who owns it (001 3.2); the starred one
// with the thread. GoldiLockSC: how the algorithm came to its answer, with the set where it needed one (001 5.5.1).
//
// The set is empty at the first access; a short circuit leaves what it found: the thread, or the lock.
#pragma once

#include "analysis/transfer_list.h"
#include "coverage/metric.h"
#include "coverage/sorted_set.h"

namespace heddle {

class GoldilocksCoverage final : public Metric {
 public:
  enum State : std::uint8_t { sct, scl, ls, e };

  constexpr GoldilocksCoverage() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  void access(const Seen& seen);
  void follow(const Event& event);
  State decide(const Variable& variable, ThreadId thread, SortedSet& set);

  MetricContext context_ = {};
  MetricRow plain_ = {};
  MetricRow starred_ = {};
  MetricRow short_circuits_ = {};
  TransferList transfers_;
};

}  // namespace heddle
