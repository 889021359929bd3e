// queue: two producers and two consumers share a bounded buffer; each item costs a little work.
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "workload.h"

namespace {

class Queue {
 public:
  void put(std::uint64_t item) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return size_ < items_.size(); });
    items_[(head_ + size_++) % items_.size()] = item;
    not_empty_.notify_one();
  }
  std::uint64_t take() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return size_ > 0; });
    const std::uint64_t item = items_[head_];
    head_ = (head_ + 1) % items_.size();
    --size_;
    not_full_.notify_one();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::array<std::uint64_t, 256> items_{};
  std::size_t head_ = 0, size_ = 0;
};

// A table lookup per byte: work that touches memory of its own.
std::uint64_t digest(std::uint64_t item) {
  std::array<std::uint8_t, 64> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(item >> (i % 8 * 8));
  }
  std::uint64_t hash = item;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 1099511628211u;
  return hash;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::uint64_t kItems = workload::share_of(100'000);
  Queue queue;
  std::atomic<std::uint64_t> in{0}, out{0};
  workload::in_threads([&](int thread) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < kItems; ++i) {
      if (thread % 2 == 0) {
        sum += digest(i);
        queue.put(digest(i));
      } else {
        sum += queue.take();
      }
    }
    (thread % 2 == 0 ? in : out) += sum;
  });
  return workload::finish(argc, argv, in == out);
}
