// WHAT    A sequence lock: a reader retries while a writer is in, and never sees half a write.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <thread>

namespace {

class SeqLock {
 public:
  void write(int value) {
    const unsigned sequence = sequence_.load(std::memory_order_relaxed);
    sequence_.store(sequence + 1, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    a_.store(value, std::memory_order_relaxed);
    b_.store(-value, std::memory_order_relaxed);
    sequence_.store(sequence + 2, std::memory_order_release);
  }
  int read() const {
    for (;;) {
      const unsigned before = sequence_.load(std::memory_order_acquire);
      const int a = a_.load(std::memory_order_relaxed);
      const int b = b_.load(std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_acquire);
      const unsigned after = sequence_.load(std::memory_order_relaxed);
      if (before == after && before % 2 == 0) {
        assert(a == -b);
        return a;
      }
      std::this_thread::yield();
    }
  }

 private:
  std::atomic<unsigned> sequence_{0};
  std::atomic<int> a_{0}, b_{0};
};

}  // namespace

int main() {
  SeqLock lock;
  std::thread writer([&] {
    for (int i = 1; i <= 4; i++) lock.write(i);
  });
  auto read = [&] {
    int last = 0;
    for (int i = 0; i < 4; i++) {
      const int now = lock.read();
      assert(now >= last);
      last = now;
    }
  };
  std::thread first(read), second(read);
  writer.join();
  first.join();
  second.join();
  assert(lock.read() == 4);
}
