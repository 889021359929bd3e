// WHAT    main() returns without joining; the result the worker should have written is checked at
//         exit.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   teardown
// MIN_PREEMPTIONS 0
// DECISIVE check_at_exit, work
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<bool> saved{false};

void work() { saved = true; }

void check_at_exit() {
  if (!saved) _exit(1);
}

}  // namespace

int main() {
  std::atexit(check_at_exit);
  std::thread(work).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
}
