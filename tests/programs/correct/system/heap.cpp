// WHAT    Threads allocate, free what others allocated, and copy memory.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::vector<std::unique_ptr<std::string>> exchange;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&, i] {
      for (int size = 1; size < 5000; size *= 17) {
        auto text = std::make_unique<std::string>(static_cast<std::size_t>(size),
                                                  static_cast<char>('a' + i));
        std::unique_ptr<std::string> other;
        {
          std::lock_guard guard(mutex);
          if (!exchange.empty()) {
            other = std::move(exchange.back());
            exchange.pop_back();
          }
          exchange.push_back(std::move(text));
        }
        if (other) assert(other->find_first_not_of(other->front()) == std::string::npos);
        void* block = std::malloc(64);
        std::memset(block, i, 64);
        block = std::realloc(block, 256);
        char copy[64];
        std::memcpy(copy, block, 64);
        std::memmove(copy + 1, copy, 63);
        assert(copy[63] == i);
        std::free(block);
        std::free(std::calloc(3, 5));
        std::free(std::aligned_alloc(64, 128));
      }
    });
  }
  for (auto& thread : threads) thread.join();
}
