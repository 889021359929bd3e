// WHAT    Two threads wait for an atomic flag, and only one is notified.
// EXPECT  failure deadlock   sites wait_for_start
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 1
// DECISIVE wait_for_start, main
#include <atomic>
#include <thread>

namespace {

std::atomic<int> started{0};  // of a futex's size: with any other, libstdc++ wakes all

void wait_for_start() { started.wait(0); }

}  // namespace

int main() {
  std::thread first(wait_for_start), second(wait_for_start);
  started = 1;
  started.notify_one();
  first.join();
  second.join();
}
