// An entry per thread, in static storage. What was never asked for is never touched: clearing it would cost every run a page
// fault for each page. Threads may ask for different entries at the same time.
#pragma once

#include <cstddef>

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

  void clear() {
    for (std::size_t i = 0; i < used_; ++i) entries_[i] = T{};
    used_ = 0;
  }

 private:
  std::size_t used_ = 0;  // nothing was asked for from here on
  T entries_[N] = {};
};

}  // namespace heddle
