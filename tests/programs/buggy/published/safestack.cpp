// WHAT    Vyukov's SafeStack: a lock-free stack of indices in which two threads can pop the same
//         element, after at least five preemptions.
// EXPECT  failure crash   sites work
// WITHIN  none
// REPLAYS 20/20
// CLASS   atomicity|data race
// MIN_PREEMPTIONS 7
// DECISIVE pop, push|pop, pop|work, work|push, push
// PUBLISHED SafeStack
// BUILD   -O0
// ORIGIN  SCTBench misc.safestack: three threads, two rounds each, three elements. Nobody finds it
//         quickly (SURW: 368 921 schedules on average), so no test waits for it: bench/strategies
//         does.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cassert>
#include <cstdint>

namespace {

constexpr int kElements = 3;
constexpr int kThreads = 3;
constexpr int kRounds = 2;

struct Element {
  int value = 0;
  std::atomic<int> next{-1};
};

class SafeStack {
 public:
  SafeStack() {
    for (int i = 0; i + 1 < kElements; i++) elements[i].next = i + 1;
  }

  int pop() {
    while (count_ > 1) {
      int head = head_;
      const int next = elements[head].next.exchange(-1);
      if (next >= 0) {
        int expected = head;
        if (head_.compare_exchange_strong(expected, next)) {
          count_.fetch_sub(1);
          return head;
        }
        elements[head].next.exchange(next);
      } else {
        sched_yield();
      }
    }
    return -1;
  }

  void push(int index) {
    int head = head_;
    do {
      elements[index].next = head;
    } while (!head_.compare_exchange_strong(head, index));
    count_.fetch_add(1);
  }

  Element elements[kElements];

 private:
  std::atomic<int> head_{0};
  std::atomic<int> count_{kElements};
};

SafeStack stack;

void* work(void* argument) {
  const int number = static_cast<int>(reinterpret_cast<std::intptr_t>(argument));
  for (int round = 0; round < kRounds; round++) {
    int element;
    while ((element = stack.pop()) < 0) sched_yield();
    stack.elements[element].value = number;
    assert(stack.elements[element].value == number);
    stack.push(element);
  }
  return nullptr;
}

}  // namespace

int main() {
  pthread_t threads[kThreads];
  for (std::intptr_t i = 0; i < kThreads; i++)
    pthread_create(&threads[i], nullptr, work, reinterpret_cast<void*>(i));
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}
