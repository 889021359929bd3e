// A program with an allocator of its own: a bump pointer in its own memory.
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {
alignas(16) char memory[64 << 20];
std::atomic<std::size_t> used{0};
}  // namespace

extern "C" void* malloc(std::size_t size) {
  const std::size_t at = used.fetch_add((size + 31) & ~std::size_t{15});
  *reinterpret_cast<std::size_t*>(memory + at) = size;
  return memory + at + 16;
}
extern "C" void free(void*) {}
extern "C" void* calloc(std::size_t count, std::size_t size) { return malloc(count * size); }
extern "C" void* realloc(void* block, std::size_t size) {
  void* fresh = malloc(size);
  if (block != nullptr) {
    const std::size_t old = *reinterpret_cast<std::size_t*>(static_cast<char*>(block) - 16);
    std::memcpy(fresh, block, old < size ? old : size);
  }
  return fresh;
}

int main() {
  std::vector<std::thread> threads;
  std::atomic<std::size_t> total{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      std::string text;
      for (int k = 0; k < 1000; ++k) text += 'x';
      total += text.size();
    });
  }
  for (auto& thread : threads) thread.join();
  std::printf("%zu\n", total.load());
}
