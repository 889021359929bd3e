// WHAT    A lock-free stack of indices whose head carries a version, so that ABA cannot happen.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>
#include <vector>

namespace {

constexpr std::uint32_t kNone = 0xffffffff;

struct Head {
  std::uint32_t index, version;
};

struct Node {
  std::atomic<std::uint32_t> next{kNone};
  std::atomic<int> owners{0};
};

class Stack {
 public:
  void push(std::uint32_t index) {
    Head head = head_.load();
    do {
      nodes[index].next = head.index;
    } while (!head_.compare_exchange_weak(head, {index, head.version + 1}));
  }
  std::uint32_t pop() {
    Head head = head_.load();
    while (head.index != kNone &&
           !head_.compare_exchange_weak(head, {nodes[head.index].next, head.version + 1})) {
    }
    return head.index;
  }
  Node nodes[3];

 private:
  std::atomic<Head> head_{{kNone, 0}};
};

}  // namespace

int main() {
  Stack stack;
  for (std::uint32_t i = 0; i < 3; i++) stack.push(i);
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++) {
    threads.emplace_back([&] {
      for (int round = 0; round < 2; round++) {
        const std::uint32_t a = stack.pop(), b = stack.pop();
        for (const auto index : {a, b}) {
          if (index == kNone) continue;
          assert(++stack.nodes[index].owners == 1);
        }
        for (const auto index : {a, b}) {
          if (index == kNone) continue;
          stack.nodes[index].owners--;
          stack.push(index);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  int left = 0;
  while (stack.pop() != kNone) left++;
  assert(left == 3);
}
