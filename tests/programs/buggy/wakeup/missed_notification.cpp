// WHAT    A wait without a predicate: a notification that came first is never seen.
// EXPECT  failure deadlock   sites main::lambda
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 0
// DECISIVE initialise, main::lambda
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
std::condition_variable initialised;
int configuration = 0;

void initialise() {
  std::lock_guard guard(mutex);
  configuration = 1;
  initialised.notify_all();
}

}  // namespace

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
    initialised.wait(lock);
  });
  std::thread initialiser(initialise);
  waiter.join();
  initialiser.join();
  return configuration == 1 ? 0 : 1;
}
