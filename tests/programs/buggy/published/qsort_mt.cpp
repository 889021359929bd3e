// WHAT    A quicksort that hands partitions to idle threads of a pool. The pool marks a thread as
//         working before it locks it, and hands over the partition only afterwards: the thread can
//         start on the partition it had before.
// EXPECT  failure crash   sites main
// WITHIN  none
// REPLAYS 20/20
// CLASS   data race|atomicity
// MIN_PREEMPTIONS 1
// DECISIVE sort, sort|allocate, pool_thread
// PUBLISHED qsort_mt
// BUILD   -O0
// ORIGIN  SCTBench inspect.qsort_mt: 32 elements, at least 4 to a partition, three pool threads.
//         Thousands of schedules on average in every published tool but one: bench/strategies waits
//         for it, no test does.
#include <pthread.h>

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace {

constexpr int kThreads = 3;
constexpr std::size_t kElements = 32;
constexpr std::size_t kForkElements = 4;
constexpr std::size_t kInsertionSort = 7;

enum class State { idle, work, terminate };

struct Common;

struct Slot {
  State state = State::idle;
  Common* common = nullptr;
  unsigned* begin = nullptr;
  std::size_t size = 0;
  pthread_t thread{};
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
};

struct Common {
  Slot pool[kThreads];
  int idle = kThreads;
  pthread_mutex_t allocation = PTHREAD_MUTEX_INITIALIZER;
};

// Marks an idle thread as working, locks it and returns it: its partition follows.
Slot* allocate(Common& common) {
  pthread_mutex_lock(&common.allocation);
  for (Slot& slot : common.pool) {
    if (slot.state == State::idle) {
      common.idle--;
      slot.state = State::work;
      pthread_mutex_lock(&slot.lock);
      pthread_mutex_unlock(&common.allocation);
      return &slot;
    }
  }
  pthread_mutex_unlock(&common.allocation);
  return nullptr;
}

void insertion_sort(unsigned* begin, std::size_t size) {
  for (std::size_t i = 1; i < size; i++) {
    for (std::size_t j = i; j > 0 && begin[j - 1] > begin[j]; j--)
      std::swap(begin[j - 1], begin[j]);
  }
}

// Bentley and McIlroy's three-way partition, as in the C library the original comes from.
void sort(Slot& slot) {
  unsigned* begin = slot.begin;
  std::size_t size = slot.size;
  for (;;) {
    if (size < kInsertionSort) return insertion_sort(begin, size);
    std::swap(begin[0], begin[size / 2]);
    std::size_t less = 1, scan = 1,
                greater = size;  // [1,less) smaller, [less,scan) equal, [greater,size) larger
    while (scan < greater) {
      if (begin[scan] < begin[0]) {
        std::swap(begin[less++], begin[scan++]);
      } else if (begin[scan] > begin[0]) {
        std::swap(begin[scan], begin[--greater]);
      } else {
        scan++;
      }
    }
    std::swap(begin[0], begin[less - 1]);
    const std::size_t left = less - 1, right = size - greater;
    Slot* other = nullptr;
    if (left > kForkElements && right > kForkElements &&
        (other = allocate(*slot.common)) != nullptr) {
      other->begin = begin;
      other->size = left;
      pthread_cond_signal(&other->changed);
      pthread_mutex_unlock(&other->lock);
    } else if (left > 0) {
      slot.begin = begin;
      slot.size = left;
      sort(slot);
    }
    if (right == 0) return;
    begin += size - right;
    size = right;
  }
}

void* pool_thread(void* argument) {
  Slot& slot = *static_cast<Slot*>(argument);
  Common& common = *slot.common;
  for (;;) {
    pthread_mutex_lock(&slot.lock);
    while (slot.state == State::idle) pthread_cond_wait(&slot.changed, &slot.lock);
    pthread_mutex_unlock(&slot.lock);
    if (slot.state == State::terminate) return nullptr;

    sort(slot);

    pthread_mutex_lock(&common.allocation);
    slot.state = State::idle;
    common.idle++;
    if (common.idle == kThreads) {
      for (Slot& other : common.pool) {
        if (&other == &slot) continue;
        pthread_mutex_lock(&other.lock);
        other.state = State::terminate;
        pthread_cond_signal(&other.changed);
        pthread_mutex_unlock(&other.lock);
      }
      pthread_mutex_unlock(&common.allocation);
      return nullptr;
    }
    pthread_mutex_unlock(&common.allocation);
  }
}

void sort_in_threads(unsigned* begin, std::size_t size) {
  static Common common;
  for (Slot& slot : common.pool) {
    slot.common = &common;
    pthread_create(&slot.thread, nullptr, pool_thread, &slot);
  }
  Slot& first = common.pool[0];
  pthread_mutex_lock(&first.lock);
  first.begin = begin;
  first.size = size;
  first.state = State::work;
  common.idle--;
  pthread_cond_signal(&first.changed);
  pthread_mutex_unlock(&first.lock);
  for (Slot& slot : common.pool) pthread_join(slot.thread, nullptr);
}

}  // namespace

int main() {
  unsigned elements[kElements];
  std::srand(1);
  for (unsigned& element : elements) element = static_cast<unsigned>(std::rand()) % kElements;
  sort_in_threads(elements, kElements);
  for (std::size_t i = 1; i < kElements; i++) assert(elements[i - 1] <= elements[i]);
}
