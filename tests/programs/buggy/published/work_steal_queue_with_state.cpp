// WHAT    The work-stealing queue, right this time, but every thread notes where it is in a table
//         of stacks that all of them grow without a lock: a late resize() takes another thread's
//         stack away.
// EXPECT  failure crash   sites State::push
// WITHIN  strategy portfolio runs 2000 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE State::push, State::push|size, _M_default_append|resize, resize
// PUBLISHED yes
// BUILD   -O0
// VARIANT iwsqws
// VARIANT swsq -DPUSH_ALL_FIRST
// ORIGIN  SCTBench chess.IWSQWS (push two, pop one) and chess.SWSQ (push all, pop all): two thieves
//         with two attempts, four items, initial size 2.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cassert>
#include <cstddef>
#include <vector>

namespace {

enum Function {
  kRunTest,
  kStealer,
  kPush,
  kPop,
  kSteal,
  kLockedPush,
  kLockedPop,
  kAcquire,
  kRelease
};

struct Activation {
  int function = 0;
  int place = 0;
};

// Where every thread is, by its number. It was meant for a state hash; nobody thought of the
// threads that share it.
class State {
 public:
  State() { stacks_.reserve(100); }
  void push(std::size_t thread, int function) {
    if (stacks_.size() <= thread) stacks_.resize(thread + 1);
    stacks_.at(thread).push_back({function, 0});
  }
  void pop(std::size_t thread) {
    assert(!stacks_.at(thread).empty());
    stacks_.at(thread).pop_back();
  }
  void at(std::size_t thread, int place) {
    assert(!stacks_.at(thread).empty());
    stacks_.at(thread).back().place = place;
  }

 private:
  std::vector<std::vector<Activation>> stacks_;
};

State state;

struct Item {
  void operate() { field++; }
  int field = 0;
};

class WorkStealQueue {
 public:
  explicit WorkStealQueue(long size) : elements_(new Item*[size]), mask_(size - 1) {}
  ~WorkStealQueue() { delete[] elements_; }

  bool steal(Item*& result, std::size_t thread) {
    state.push(thread, kSteal);
    acquire(thread);
    state.at(thread, 1);
    const long head = read(head_);
    state.at(thread, 2);
    write(head_, head + 1);
    state.at(thread, 3);
    const bool found = head < read(tail_);
    if (found) {
      result = elements_[head & mask_];
    } else {
      state.at(thread, 4);
      write(head_, head);
    }
    state.at(thread, 5);
    release(thread);
    state.pop(thread);
    return found;
  }

  bool pop(Item*& result, std::size_t thread) {
    state.push(thread, kPop);
    const long tail = read(tail_) - 1;
    state.at(thread, 1);
    write(tail_, tail);
    state.at(thread, 2);
    bool found = read(head_) <= tail;
    if (found) {
      result = elements_[tail & mask_];
    } else {
      state.at(thread, 3);
      write(tail_, tail + 1);
      found = locked_pop(result, thread);
    }
    state.pop(thread);
    return found;
  }

  void push(Item* item, std::size_t thread) {
    state.push(thread, kPush);
    const long tail = read(tail_);
    state.at(thread, 1);
    if (tail < read(head_) + mask_) {
      elements_[tail & mask_] = item;
      state.at(thread, 2);
      write(tail_, tail + 1);
    } else {
      state.at(thread, 3);
      locked_push(item, thread);
    }
    state.pop(thread);
  }

 private:
  static long read(std::atomic<long>& variable) {
    long expected = 0;
    variable.compare_exchange_strong(expected, 0);
    return expected;
  }
  static void write(std::atomic<long>& variable, long value) { variable.exchange(value); }

  void acquire(std::size_t thread) {
    state.push(thread, kAcquire);
    while (held_.exchange(true)) {
      state.at(thread, 1);
      sched_yield();
    }
    state.pop(thread);
  }

  void release(std::size_t thread) {
    state.push(thread, kRelease);
    held_ = false;
    state.pop(thread);
  }

  bool locked_pop(Item*& result, std::size_t thread) {
    state.push(thread, kLockedPop);
    acquire(thread);
    state.at(thread, 1);
    const long tail = read(tail_) - 1;
    state.at(thread, 2);
    write(tail_, tail);
    state.at(thread, 3);
    bool found = read(head_) <= tail;
    if (found) {
      result = elements_[tail & mask_];
    } else {
      state.at(thread, 4);
      write(tail_, tail + 1);
    }
    state.at(thread, 5);
    if (read(head_) > tail) {
      state.at(thread, 6);
      write(head_, 0);
      state.at(thread, 7);
      write(tail_, 0);
      found = false;
    }
    state.at(thread, 8);
    release(thread);
    state.pop(thread);
    return found;
  }

  void locked_push(Item* item, std::size_t thread) {
    state.push(thread, kLockedPush);
    acquire(thread);
    state.at(thread, 1);
    long head = read(head_);
    state.at(thread, 2);
    const long count = read(tail_) - head;
    head = head & mask_;
    state.at(thread, 3);
    write(head_, head);
    state.at(thread, 4);
    write(tail_, head + count);
    if (count >= mask_) {
      const long size = 2 * (mask_ + 1);
      Item** larger = new Item*[size];
      for (long i = 0; i < count; i++) larger[i] = elements_[(head + i) & mask_];
      delete[] elements_;
      elements_ = larger;
      mask_ = size - 1;
      state.at(thread, 5);
      head_ = 0;
      state.at(thread, 6);
      tail_ = count;
    }
    state.at(thread, 7);
    const long tail = read(tail_);
    elements_[tail & mask_] = item;
    state.at(thread, 8);
    write(tail_, tail + 1);
    state.at(thread, 9);
    release(thread);
    state.pop(thread);
  }

  std::atomic<bool> held_{false};
  std::atomic<long> head_{0};
  std::atomic<long> tail_{0};
  Item** elements_;
  long mask_;
};

constexpr int kItems = 4;
constexpr int kThieves = 2;
constexpr int kStealAttempts = 2;
constexpr long kInitialSize = 2;

WorkStealQueue queue(kInitialSize);
Item items[kItems];

void* thief(void* argument) {
  const auto thread = reinterpret_cast<std::size_t>(argument);
  state.push(thread, kStealer);
  for (int i = 0; i < kStealAttempts; i++) {
    state.at(thread, 0);
    Item* item;
    if (queue.steal(item, thread)) item->operate();
  }
  state.pop(thread);
  return nullptr;
}

void pop_one() {
  Item* item;
  if (queue.pop(item, 0)) item->operate();
}

}  // namespace

int main() {
  state.push(0, kRunTest);
  pthread_t thieves[kThieves];
  for (std::size_t i = 0; i < kThieves; i++) {
    pthread_create(&thieves[i], nullptr, thief, reinterpret_cast<void*>(i + 1));
  }
#ifdef PUSH_ALL_FIRST
  for (Item& item : items) queue.push(&item, 0);
  for (int i = 0; i < kItems; i++) pop_one();
#else
  for (int i = 0; i < kItems / 2; i++) {
    queue.push(&items[2 * i], 0);
    queue.push(&items[2 * i + 1], 0);
    pop_one();
  }
  for (int i = 0; i < kItems / 2; i++) pop_one();
#endif
  for (pthread_t thread : thieves) pthread_join(thread, nullptr);
  for (const Item& item : items) assert(item.field == 1);
}
