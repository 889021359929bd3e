// HBPair, HBPair*: a place in one thread was synchronised with a place in another through an object: lock, condition,
// semaphore, barrier, atomic, creation or joining (001 3.2); the starred one with both threads.
#pragma once

#include "base/key_map.h"
#include "base/per_thread.h"
#include "coverage/metric.h"

namespace heddle {

class HappensBeforePairs final : public Metric {
 public:
  constexpr HappensBeforePairs() = default;
  void begin_run(const MetricContext& context, const MetricRow* rows) override;
  void on(const Seen& seen) override;

 private:
  struct Release {
    std::uint64_t place;  // 0: a thread's end has none
    std::uint64_t thread;
    std::uint64_t number;  // counts all releases of the run; 0: none
    ThreadId by;
  };
  struct Waiting {
    std::uint64_t condition;  // 0: not waiting
    std::uint64_t place;
    std::uint64_t since;
  };

  enum class Through : std::uint8_t { object, start, end };

  void release(std::uint64_t key, const Seen& seen);
  void acquire(std::uint64_t key, const Seen& seen, std::uint64_t place,
               Through through = Through::object);
  void atomic(const Seen& seen);
  void end_wait(const Seen& seen);

  MetricContext context_ = {};
  MetricRow plain_ = {};
  MetricRow starred_ = {};
  std::uint64_t releases_ = 0;
  KeyMap<Release> objects_;
  PerThread<Waiting, kMaxThreads> waiting_;
};

}  // namespace heddle
