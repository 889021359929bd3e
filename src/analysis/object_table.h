// Locks and other objects by where they are; an object whose memory is handed out again is forgotten.
#pragma once

#include <cstdint>

#include "base/key_map.h"

namespace heddle {

template <class T>
class ObjectTable {
 public:
  constexpr ObjectTable() = default;

  void begin_run(Arena& arena) {
    objects_.begin_run(arena);
    pages_.begin_run(arena);
    dropped_ = 0;
  }

  T* find(std::uint64_t key) const { return objects_.find(key); }

  // Null when memory is used up (counted).
  T* find_or_make(std::uint64_t key) {
    if (T* const known = objects_.find(key)) return known;
    T* const object = objects_.find_or_make(key);
    Page* const page = object == nullptr ? nullptr : pages_.find_or_make(key >> kPageShift);
    if (page == nullptr) {
      ++dropped_;
      return nullptr;
    }
    page->used = true;
    return object;
  }

  // Calls each(T&) for every object in [start, start + size).
  template <class Each>
  void for_range(std::uint64_t start, std::uint64_t size, Each&& each) const {
    const std::uint64_t end = start + size;
    for (std::uint64_t page = start >> kPageShift; page << kPageShift < end; ++page) {
      if (pages_.find(page) == nullptr) continue;
      const std::uint64_t first = page << kPageShift;
      for (std::uint64_t at = first; at < first + (1u << kPageShift); at += kAlignment) {
        if (at < start || at >= end) continue;
        if (T* const object = objects_.find(at)) each(*object);
      }
    }
  }

  std::uint64_t dropped() const { return dropped_; }

 private:
  static constexpr unsigned kPageShift = 10;
  static constexpr std::uint64_t kAlignment = 4;  // of a spin lock, the smallest

  struct Page {
    bool used;
  };

  KeyMap<T> objects_;
  KeyMap<Page> pages_;
  std::uint64_t dropped_ = 0;
};

}  // namespace heddle
