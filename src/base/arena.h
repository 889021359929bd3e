// Memory for analyses inside the program under test: taken in pieces from whoever begins the run, bounded, never given
// back. What did not fit is counted; a caller that gets null must do with less and never with something wrong. Threads may
// ask at the same time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/spin_lock.h"

namespace heddle {

class Arena {
 public:
  // Zeroed pages, or null. In the runtime this is map_memory() or map_dense(), in tests mmap.
  using Map = void* (*)(std::size_t bytes);

  constexpr Arena() = default;

  void begin_run(Map map, std::uint64_t limit) {
    map_ = map;
    limit_ = limit;
    taken_ = 0;
    refused_ = 0;
    next_ = nullptr;
    end_ = nullptr;
  }

  // Zeroed, aligned to 16, or to a cache line if it is large or asks for that. Null when the limit is reached.
  void* allocate(std::size_t bytes, std::size_t alignment = 16) {
    const SpinGuard guard(lock_);
    bytes = (bytes + 15) & ~std::size_t{15};
    if (bytes >= kLarge || alignment > 16) {
      next_ += (64 - reinterpret_cast<std::uintptr_t>(next_) % 64) % 64;
    }
    if ((next_ > end_ || bytes > static_cast<std::size_t>(end_ - next_)) && !refill(bytes)) {
      ++refused_;
      return nullptr;
    }
    void* const memory = next_;
    next_ += bytes;
    return memory;
  }

  template <class T>
  T* make_array(std::size_t count) {
    return static_cast<T*>(allocate(sizeof(T) * count));
  }
  template <class T>
  T* make() {
    static_assert(alignof(T) <= 64);
    void* const memory = allocate(sizeof(T), alignof(T));
    return memory == nullptr ? nullptr : ::new (memory) T();
  }

  std::uint64_t used() const { return taken_; }
  std::uint64_t refused() const { return refused_; }

 private:
  static constexpr std::size_t kLarge = 4096;
  static constexpr std::size_t kPiece = std::size_t{256} << 10;
  // Who has used that much will use more: larger pieces, for which a huge page can serve.
  static constexpr std::size_t kMuch = std::size_t{1} << 20;
  static constexpr std::size_t kMuchPiece = std::size_t{2} << 20;

  bool refill(std::size_t bytes) {
    const bool much = taken_ >= kMuch && kMuchPiece <= limit_ - taken_;
    const std::size_t least = much ? kMuchPiece : kPiece;
    const std::size_t piece = bytes > least ? (bytes + 4095) & ~std::size_t{4095} : least;
    if (map_ == nullptr || piece > limit_ - taken_) return false;
    void* const memory = map_(piece);
    if (memory == nullptr) return false;
    taken_ += piece;
    next_ = static_cast<char*>(memory);
    end_ = next_ + piece;
    return true;
  }

  SpinLock lock_;
  Map map_ = nullptr;
  std::uint64_t limit_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t refused_ = 0;
  char* next_ = nullptr;
  char* end_ = nullptr;
};

}  // namespace heddle
