// WHAT    Two threads wait for an atomic flag, and only one is notified.
// EXPECT  failure deadlock   sites wait_for_start
// WITHIN  none
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 0
// DECISIVE wait_for_start, main
// ORIGIN  libstdc++ yields four times before it waits. Two waiters must both get that far while main()
//         stands still, which no strategy brings about often enough for a test.
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
