// atomics: counters that all threads add to, compare and exchange.
#include <atomic>

#include "workload.h"

int main(int argc, char** argv) {
  constexpr long kRounds = workload::share_of(1'500'000);
  std::atomic<long> sum{0}, most{0};
  std::atomic<int> flag{0};
  workload::in_threads([&](int thread) {
    for (long i = 0; i < kRounds; ++i) {
      sum.fetch_add(1, std::memory_order_relaxed);
      long seen = most.load(std::memory_order_acquire);
      while (seen < i && !most.compare_exchange_weak(seen, i, std::memory_order_acq_rel)) {
      }
      flag.store(thread, std::memory_order_release);
    }
  });
  return workload::finish(argc, argv, sum == kRounds * workload::kThreads && most == kRounds - 1);
}
