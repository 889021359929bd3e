// WHAT    A thread object is joined only if its work has been seen to be done; otherwise its
//         destructor terminates the program.
// EXPECT  failure crash
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   teardown
// MIN_PREEMPTIONS 0
// DECISIVE main, work
#include <atomic>
#include <chrono>
#include <thread>

namespace {

std::atomic<bool> done{false};

void work() { done = true; }

}  // namespace

int main() {
  std::thread worker(work);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (done) worker.join();
}
