// WHAT    Chase and Lev's deque with sequentially consistent operations: every item is taken once.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr long kSize = 8;
constexpr int kItems = 6;

class Deque {
 public:
  void push(int value) {
    const long bottom = bottom_;
    items_[bottom % kSize] = value;
    bottom_ = bottom + 1;
  }
  bool take(int& value) {
    const long bottom = bottom_ - 1;
    bottom_ = bottom;
    long top = top_;
    if (top > bottom) {
      bottom_ = bottom + 1;
      return false;
    }
    value = items_[bottom % kSize];
    if (top != bottom) return true;
    const bool won = top_.compare_exchange_strong(top, top + 1);
    bottom_ = bottom + 1;
    return won;
  }
  bool steal(int& value) {
    long top = top_;
    if (top >= bottom_) return false;
    value = items_[top % kSize];
    return top_.compare_exchange_strong(top, top + 1);
  }

 private:
  std::atomic<long> top_{0}, bottom_{0};
  std::atomic<int> items_[kSize];
};

}  // namespace

int main() {
  Deque deque;
  std::atomic<int> taken[kItems] = {};
  std::thread thief([&] {
    int value;
    for (int i = 0; i < 4; i++) {
      if (deque.steal(value)) taken[value]++;
    }
  });
  int value;
  for (int i = 0; i < kItems; i++) {
    deque.push(i);
    if (i % 2 == 1 && deque.take(value)) taken[value]++;
  }
  while (deque.take(value)) taken[value]++;
  thief.join();
  while (deque.take(value)) taken[value]++;
  for (const auto& count : taken) assert(count == 1);
}
