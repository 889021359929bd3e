// WHAT    A bounded buffer whose waits all look again: whether a wait ends with a signal or without one
//         makes no difference.
// EXPECT  pass
// WITHIN  strategy every runs 50 seed 1
// OPTIONS --spurious
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
std::condition_variable changed;
int slot = 0;  // 0: empty

void put(int value) {
  std::unique_lock guard(lock);
  changed.wait(guard, [] { return slot == 0; });
  slot = value;
  changed.notify_all();
}

int take() {
  std::unique_lock guard(lock);
  changed.wait(guard, [] { return slot != 0; });
  const int value = slot;
  slot = 0;
  changed.notify_all();
  return value;
}

}  // namespace

int main() {
  int sum = 0;
  std::thread producer([] {
    for (int i = 1; i <= 3; i++) put(i);
  });
  std::thread consumer([&sum] {
    for (int i = 0; i < 3; i++) sum += take();
  });
  producer.join();
  consumer.join();
  assert(sum == 6);
}
