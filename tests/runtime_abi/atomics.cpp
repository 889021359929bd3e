// Every width and operation of the atomics, against plain arithmetic, and updates by several threads.
#include <pthread.h>

#include "check.h"

namespace {

using Wide = unsigned __int128;

template <class T>
void operations() {
  static T object;
  const T high = static_cast<T>(T{1} << (sizeof(T) * 8 - 1));
  const T start = static_cast<T>(high | 5);
  __atomic_store_n(&object, start, __ATOMIC_SEQ_CST);
  CHECK(__atomic_load_n(&object, __ATOMIC_ACQUIRE) == start);
  CHECK(__atomic_exchange_n(&object, T{12}, __ATOMIC_ACQ_REL) == start);
  CHECK(__atomic_fetch_add(&object, T{3}, __ATOMIC_RELAXED) == 12);
  CHECK(__atomic_fetch_sub(&object, high, __ATOMIC_RELAXED) == 15);
  CHECK(__atomic_fetch_and(&object, static_cast<T>(high | 6), __ATOMIC_RELEASE) ==
        static_cast<T>(15 - high));
  CHECK(__atomic_fetch_or(&object, T{8}, __ATOMIC_SEQ_CST) == static_cast<T>(high | 6));
  CHECK(__atomic_fetch_xor(&object, T{15}, __ATOMIC_SEQ_CST) == static_cast<T>(high | 14));
  CHECK(__atomic_fetch_nand(&object, T{3}, __ATOMIC_SEQ_CST) == static_cast<T>(high | 1));
  CHECK(__atomic_load_n(&object, __ATOMIC_RELAXED) == static_cast<T>(~T{1}));

  T expected = 7;
  CHECK(!__atomic_compare_exchange_n(&object, &expected, T{9}, false, __ATOMIC_SEQ_CST,
                                     __ATOMIC_RELAXED));
  CHECK(expected == static_cast<T>(~T{1}));
  CHECK(__atomic_compare_exchange_n(&object, &expected, T{9}, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_RELAXED));
  expected = 9;
  while (!__atomic_compare_exchange_n(&object, &expected, T{10}, true, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
    CHECK(expected == 9);
  }
  CHECK(__atomic_load_n(&object, __ATOMIC_SEQ_CST) == 10);
  __atomic_store_n(&object, T{11}, __ATOMIC_RELAXED);
  CHECK(object == 11);
}

template <class T>
struct Counter {
  static constexpr int kThreads = 4;
  static constexpr int kRounds = 1000;
  static inline T added;
  static inline T swapped;

  static void* count(void*) {
    for (int i = 0; i < kRounds; ++i) {
      __atomic_fetch_add(&added, T{1}, __ATOMIC_RELAXED);
      T seen = __atomic_load_n(&swapped, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(&swapped, &seen, static_cast<T>(seen + 1), true,
                                          __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
      }
      __atomic_thread_fence(__ATOMIC_SEQ_CST);
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    return nullptr;
  }
  static void run() {
    pthread_t threads[kThreads];
    for (pthread_t& thread : threads) CHECK(pthread_create(&thread, nullptr, count, nullptr) == 0);
    for (pthread_t thread : threads) CHECK(pthread_join(thread, nullptr) == 0);
    CHECK(added == static_cast<T>(kThreads * kRounds));
    CHECK(swapped == static_cast<T>(kThreads * kRounds));
  }
};

template <class T>
void all() {
  operations<T>();
  Counter<T>::run();
}

}  // namespace

int main() {
  all<unsigned char>();
  all<unsigned short>();
  all<unsigned>();
  all<unsigned long>();
  all<Wide>();
  puts("ok");
}
