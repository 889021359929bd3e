// WHAT    A spin lock with a yield, and a ticket lock.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

namespace {

class SpinLock {
 public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  void unlock() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag flag_;
};

class TicketLock {
 public:
  void lock() {
    const unsigned ticket = next_.fetch_add(1, std::memory_order_relaxed);
    while (serving_.load(std::memory_order_acquire) != ticket) std::this_thread::yield();
  }
  void unlock() {
    serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

 private:
  std::atomic<unsigned> next_{0}, serving_{0};
};

template <typename Lock>
void exercise() {
  Lock lock;
  int value = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&] {
      for (int round = 0; round < 3; round++) {
        lock.lock();
        const int before = value;
        value = before + 1;
        lock.unlock();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  assert(value == 9);
}

}  // namespace

int main() {
  exercise<SpinLock>();
  exercise<TicketLock>();
}
