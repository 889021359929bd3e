// lock: one mutex, one counter, nothing else.
#include <mutex>

#include "workload.h"

int main(int argc, char** argv) {
  constexpr long kRounds = workload::share_of(2'000'000);
  std::mutex mutex;
  long counter = 0;
  workload::in_threads([&](int) {
    for (long i = 0; i < kRounds; ++i) {
      std::lock_guard guard(mutex);
      ++counter;
    }
  });
  return workload::finish(argc, argv, counter == kRounds * workload::kThreads);
}
