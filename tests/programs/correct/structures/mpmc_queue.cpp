// WHAT    Vyukov's bounded queue for many producers and consumers: every item comes out once.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <cstddef>
#include <thread>
#include <vector>

namespace {

class Queue {
 public:
  Queue() {
    for (std::size_t i = 0; i < kSize; i++) cells_[i].sequence.store(i, std::memory_order_relaxed);
  }
  bool push(int value) {
    std::size_t position = tail_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[position % kSize];
      const auto difference =
          static_cast<std::ptrdiff_t>(cell.sequence.load(std::memory_order_acquire) - position);
      if (difference < 0) return false;
      if (difference > 0) {
        position = tail_.load(std::memory_order_relaxed);
      } else if (tail_.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) {
        cell.value = value;
        cell.sequence.store(position + 1, std::memory_order_release);
        return true;
      }
    }
  }
  bool pop(int& value) {
    std::size_t position = head_.load(std::memory_order_relaxed);
    for (;;) {
      Cell& cell = cells_[position % kSize];
      const auto difference = static_cast<std::ptrdiff_t>(
          cell.sequence.load(std::memory_order_acquire) - (position + 1));
      if (difference < 0) return false;
      if (difference > 0) {
        position = head_.load(std::memory_order_relaxed);
      } else if (head_.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) {
        value = cell.value;
        cell.sequence.store(position + kSize, std::memory_order_release);
        return true;
      }
    }
  }

 private:
  static constexpr std::size_t kSize = 4;
  struct Cell {
    std::atomic<std::size_t> sequence;
    int value = 0;
  };
  Cell cells_[kSize];
  std::atomic<std::size_t> head_{0}, tail_{0};
};

}  // namespace

int main() {
  constexpr int kEach = 3;
  Queue queue;
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int p = 0; p < 2; p++) {
    threads.emplace_back([&, p] {
      for (int i = 0; i < kEach; i++) {
        while (!queue.push(10 * p + i)) std::this_thread::yield();
      }
    });
    threads.emplace_back([&] {
      for (int i = 0; i < kEach; i++) {
        int value;
        while (!queue.pop(value)) std::this_thread::yield();
        sum += value;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  int value;
  assert(sum == (0 + 1 + 2) + (10 + 11 + 12) && !queue.pop(value));
}
