// WHAT    A wait has a deadline at the end of time, and its wake-up comes before it: nobody looks under the lock whether it is to wait.
// EXPECT  failure deadlock   sites main
// WITHIN  strategy portfolio runs 300 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
std::condition_variable changed;
bool ready = false;

void make_ready() {
  {
    const std::lock_guard<std::mutex> guard(lock);
    ready = true;
  }
  changed.notify_one();
}

bool is_ready() {
  const std::lock_guard<std::mutex> guard(lock);
  return ready;
}

}  // namespace

int main() {
  std::thread thread(make_ready);
  if (!is_ready()) {
    std::unique_lock<std::mutex> guard(lock);
    changed.wait_until(guard, std::chrono::steady_clock::time_point::max());
  }
  thread.join();
}
