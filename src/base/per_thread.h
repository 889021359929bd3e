// An entry per thread, in static storage. What was never asked for is never touched: clearing it would cost every run a page
// fault for each page.
#pragma once

#include <cstddef>

namespace heddle {

template <class T, std::size_t N>
class PerThread {
 public:
  constexpr PerThread() = default;

  T& operator[](std::size_t thread) {
    if (thread >= used_) used_ = thread + 1;
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
