// WHAT    A shared mutex lets readers in together and a writer alone.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

int main() {
  std::shared_mutex mutex;
  std::atomic<int> readers{0}, writers{0};
  int value = 0;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&] {
      for (int round = 0; round < 2; round++) {
        std::shared_lock lock(mutex);
        readers++;
        assert(writers == 0);
        const int before = value;
        std::this_thread::yield();
        assert(value == before);
        readers--;
      }
    });
  }
  threads.emplace_back([&] {
    for (int round = 0; round < 2; round++) {
      std::unique_lock lock(mutex);
      writers++;
      assert(readers == 0 && writers == 1);
      value++;
      writers--;
    }
  });
  threads.clear();
  assert(value == 2);
  std::shared_lock reading(mutex);
  std::jthread([&] {
    assert(!mutex.try_lock() && mutex.try_lock_shared()), mutex.unlock_shared();
  }).join();
}
