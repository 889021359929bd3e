// An entry per thread, in static storage. What was never asked for is never touched: clearing it would cost every run a page
// fault for each page. Threads may ask for different entries at the same time.
#pragma once

#include <cstddef>

#include "base/arena.h"

namespace heddle {

template <class T, std::size_t N>
class PerThread {
 public:
  constexpr PerThread() = default;

  T& operator[](std::size_t thread) {
    std::size_t used = __atomic_load_n(&used_, __ATOMIC_RELAXED);
    while (thread >= used && !__atomic_compare_exchange_n(&used_, &used, thread + 1, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return entries_[thread];
  }
  const T& operator[](std::size_t thread) const { return entries_[thread]; }
  // One that was asked for before.
  T& known(std::size_t thread) { return entries_[thread]; }

  void clear() {
    for (std::size_t i = 0; i < used_; ++i) entries_[i] = T{};
    used_ = 0;
  }

 private:
  std::size_t used_ = 0;  // nothing was asked for from here on
  T entries_[N] = {};
};

// The same for what is made in an arena when a thread first needs it: small itself, so that it shares a page with its neighbours.
template <class T, std::size_t N>
class MadePerThread {
 public:
  constexpr MadePerThread() = default;

  void begin_run(Arena& arena) {
    *this = MadePerThread();
    arena_ = &arena;
  }

  T* find(std::size_t thread) const {
    T* const* const some = __atomic_load_n(&table_[thread / kSome], __ATOMIC_ACQUIRE);
    return some == nullptr ? nullptr : __atomic_load_n(&some[thread % kSome], __ATOMIC_ACQUIRE);
  }
  // For a thread that has none. Null when memory is used up.
  T* make(std::size_t thread) {
    T**& place = table_[thread / kSome];
    T** some = __atomic_load_n(&place, __ATOMIC_ACQUIRE);
    if (some == nullptr) {
      T** const fresh = arena_->template make_array<T*>(kSome);
      if (fresh == nullptr) return nullptr;
      if (__atomic_compare_exchange_n(&place, &some, fresh, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE)) {
        some = fresh;
      }
    }
    T* const made = arena_->template make<T>();
    __atomic_store_n(&some[thread % kSome], made, __ATOMIC_RELEASE);
    return made;
  }

 private:
  static constexpr std::size_t kSome = 32;
  static_assert(N % kSome == 0);

  Arena* arena_ = nullptr;
  T** table_[N / kSome] = {};
};

}  // namespace heddle
