// WHAT    Cilk's THE work-stealing queue with its off-by-one: push leaves no spare slot for a thief
//         that has moved the head already and not yet read its element.
// EXPECT  failure crash   sites main
// WITHIN  strategy portfolio runs 2000 seed 1
// REPLAYS 20/20
// CLASS   data race|atomicity
// MIN_PREEMPTIONS 2
// DECISIVE WorkStealQueue::steal, WorkStealQueue::push
// PUBLISHED yes
// BUILD   -O0
// VARIANT wsq
// VARIANT iwsq -DINTERLOCKED
// ORIGIN  SCTBench chess.WSQ (the lock is a mutex) and chess.IWSQ (an interlocked exchange): one
//         thief with two attempts, four items, initial size 2.
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <cassert>

namespace {

#ifdef INTERLOCKED
class Lock {
 public:
  void acquire() {
    while (held_.exchange(true)) sched_yield();
  }
  void release() { held_ = false; }

 private:
  std::atomic<bool> held_{false};
};
#else
class Lock {
 public:
  void acquire() { pthread_mutex_lock(&mutex_); }
  void release() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};
#endif

struct Item {
  void operate() { field++; }
  int field = 0;
};

// The owner pushes and pops at the tail; thieves take at the head, one at a time. Indices grow and
// are masked.
class WorkStealQueue {
 public:
  explicit WorkStealQueue(long size) : elements_(new Item*[size]), mask_(size - 1) {}
  ~WorkStealQueue() { delete[] elements_; }

  bool steal(Item*& result) {
    lock_.acquire();
    const long head = read(head_);
    write(head_, head + 1);
    const bool found = head < read(tail_);
    if (found) {
      result = elements_[head & mask_];
    } else {
      write(head_, head);
    }
    lock_.release();
    return found;
  }

  bool pop(Item*& result) {
    const long tail = read(tail_) - 1;
    write(tail_, tail);
    if (read(head_) <= tail) {
      result = elements_[tail & mask_];
      return true;
    }
    write(tail_, tail + 1);
    return locked_pop(result);
  }

  void push(Item* item) {
    const long tail = read(tail_);
    if (tail < read(head_) + mask_ + 1) {  // the bug; right is `+ mask_`
      elements_[tail & mask_] = item;
      write(tail_, tail + 1);
    } else {
      locked_push(item);
    }
  }

 private:
  // The originals read by a compare-and-exchange of 0 for 0, and write by an exchange.
  static long read(std::atomic<long>& variable) {
    long expected = 0;
    variable.compare_exchange_strong(expected, 0);
    return expected;
  }
  static void write(std::atomic<long>& variable, long value) { variable.exchange(value); }

  bool locked_pop(Item*& result) {
    lock_.acquire();
    const long tail = read(tail_) - 1;
    write(tail_, tail);
    bool found = read(head_) <= tail;
    if (found) {
      result = elements_[tail & mask_];
    } else {
      write(tail_, tail + 1);
    }
    if (read(head_) > tail) {  // empty: start again at 0
      write(head_, 0);
      write(tail_, 0);
      found = false;
    }
    lock_.release();
    return found;
  }

  void locked_push(Item* item) {
    lock_.acquire();
    long head = read(head_);
    const long count = read(tail_) - head;
    head = head & mask_;
    write(head_, head);
    write(tail_, head + count);
    if (count >= mask_) {
      const long size = 2 * (mask_ + 1);
      Item** larger = new Item*[size];
      for (long i = 0; i < count; i++) larger[i] = elements_[(head + i) & mask_];
      delete[] elements_;
      elements_ = larger;
      mask_ = size - 1;
      write(head_, 0);
      write(tail_, count);
    }
    const long tail = read(tail_);
    elements_[tail & mask_] = item;
    write(tail_, tail + 1);
    lock_.release();
  }

  Lock lock_;
  std::atomic<long> head_{0};
  std::atomic<long> tail_{0};
  Item** elements_;
  long mask_;
};

constexpr int kItems = 4;
constexpr int kStealAttempts = 2;
constexpr long kInitialSize = 2;

void* thief(void* argument) {
  auto* queue = static_cast<WorkStealQueue*>(argument);
  for (int i = 0; i < kStealAttempts; i++) {
    Item* item;
    if (queue->steal(item)) item->operate();
  }
  return nullptr;
}

void pop_one(WorkStealQueue& queue) {
  Item* item;
  if (queue.pop(item)) item->operate();
}

}  // namespace

int main() {
  WorkStealQueue queue(kInitialSize);
  Item items[kItems];
  pthread_t stealing;
  pthread_create(&stealing, nullptr, thief, &queue);
  for (int i = 0; i < kItems / 2; i++) {
    queue.push(&items[2 * i]);
    queue.push(&items[2 * i + 1]);
    pop_one(queue);
  }
  for (int i = 0; i < kItems / 2; i++) pop_one(queue);
  pthread_join(stealing, nullptr);
  for (const Item& item : items) assert(item.field == 1);
}
