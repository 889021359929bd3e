// WHAT    wait_for() may time out, and the caller uses the result anyway.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   sleep-as-synchronisation
// MIN_PREEMPTIONS 0
// DECISIVE main, compute
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable done;
bool finished = false;
int result = 0;

void compute() {
  std::lock_guard guard(mutex);
  result = 42;
  finished = true;
  done.notify_one();
}

}  // namespace

int main() {
  std::thread worker(compute);
  int seen;
  {
    std::unique_lock lock(mutex);
    done.wait_for(lock, std::chrono::milliseconds(50), [] { return finished; });
    seen = result;
  }
  worker.join();
  if (seen == 42) return 0;
  std::fprintf(stderr, "the result was used before it was there\n");
  return 1;
}
