// WHAT    A worker that sees the cancellation first ends without announcing its result; the other
//         thread polls for it for ever.
// EXPECT  failure livelock   sites main
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 5/5
// CLASS   livelock
// MIN_PREEMPTIONS 0
// DECISIVE work, cancel
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> cancelled{false};
std::atomic<bool> finished{false};

void work() {
  if (cancelled) return;
  finished = true;
}

void cancel() { cancelled = true; }

}  // namespace

int main() {
  std::thread worker(work), canceller(cancel);
  while (!finished) std::this_thread::yield();
  worker.join();
  canceller.join();
}
