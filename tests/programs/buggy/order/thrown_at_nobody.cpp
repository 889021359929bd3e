// WHAT    A thread that asks before the other is ready throws, and nobody catches it: the failure is where it threw.
// EXPECT  failure crash   sites ask
// WITHIN  strategy portfolio runs 100 seed 1
// REPLAYS 20/20
// CLASS   order violation|atomicity
#include <atomic>
#include <stdexcept>
#include <thread>

namespace {

std::atomic<bool> ready{false};

void get_ready() { ready = true; }

void ask() {
  if (!ready) throw std::runtime_error("not ready");
}

}  // namespace

int main() {
  std::thread first(get_ready);
  std::thread second(ask);
  first.join();
  second.join();
}
