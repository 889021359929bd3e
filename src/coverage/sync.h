// Sync: a place of synchronisation was visited, kept somebody waiting (blocking), had to wait (blocked)
// (Trainin, Nir-Buchbinder, Tzoref-Brill, Zlotnick, Ur, Farchi, PADTAD 2009; 001 3.1).
#pragma once

#include "base/key_map.h"
#include "coverage/metric.h"

namespace heddle {

class SyncCoverage final : public Metric {
 public:
  enum Mode : std::uint8_t { visited, blocking, blocked };

  constexpr SyncCoverage() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  struct Waiter {
    std::uint64_t place;
    ThreadId thread;
  };
  struct Lock {
    std::uint64_t place;  // where it was taken; 0: free
    ThreadId holder;
    std::uint32_t depth;
    FixedVector<Waiter, 16> waiters;  // got there and have not taken it yet
  };

  void meet(std::uint64_t waiting_place, std::uint64_t holding_place);

  MetricContext context_ = {};
  MetricRow row_ = {};
  KeyMap<Lock> locks_;
};

}  // namespace heddle
