// A vector with its storage inside: no heap, so it serves inside the program under test.
#pragma once

#include <cstddef>

#include "base/check.h"

namespace heddle {

template <class T, std::size_t N>
class FixedVector {
 public:
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr bool full() const { return size_ == N; }
  static constexpr std::size_t capacity() { return N; }

  constexpr void push_back(const T& value) {
    check(size_ < N, "a FixedVector holds no more than its capacity");
    items_[size_++] = value;
  }
  constexpr void clear() { size_ = 0; }
  constexpr void pop_back() { --size_; }
  constexpr void resize_down(std::size_t size) { size_ = size < size_ ? size : size_; }

  // Keeps the order of the rest: what is stored here is iterated to decide.
  constexpr void erase_at(std::size_t index) {
    for (std::size_t i = index + 1; i < size_; ++i) items_[i - 1] = items_[i];
    --size_;
  }

  constexpr T& operator[](std::size_t i) { return items_[i]; }
  constexpr const T& operator[](std::size_t i) const { return items_[i]; }
  constexpr T& back() { return items_[size_ - 1]; }
  constexpr T* begin() { return items_; }
  constexpr T* end() { return items_ + size_; }
  constexpr const T* begin() const { return items_; }
  constexpr const T* end() const { return items_ + size_; }

 private:
  std::size_t size_ = 0;
  T items_[N] = {};
};

}  // namespace heddle
