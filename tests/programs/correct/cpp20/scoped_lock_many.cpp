// WHAT    scoped_lock takes several mutexes in whatever order they are named.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
// EXCEPT  round-robin: strict turns keep two threads that back off from each other in step for ever.
#include <cassert>
#include <mutex>
#include <thread>

int main() {
  std::mutex a, b, c;
  int value = 0;
  std::jthread first([&] {
    for (int i = 0; i < 3; i++) {
      std::scoped_lock lock(a, b, c);
      value++;
    }
  });
  std::jthread second([&] {
    for (int i = 0; i < 3; i++) {
      std::scoped_lock lock(c, b, a);
      value++;
    }
  });
  first.join();
  second.join();
  assert(value == 6);
  assert(std::try_lock(a, b, c) == -1);
  a.unlock(), b.unlock(), c.unlock();
}
