// From 64-bit keys (addresses, object ids) to values that stay where they are. Grows in an arena; nothing is removed.
// Iteration order is never used: nothing that decides may depend on a hash table's order.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/arena.h"
#include "base/hash.h"

namespace heddle {

template <class T>
class KeyMap {
 public:
  constexpr KeyMap() = default;

  void begin_run(Arena& arena) {
    *this = KeyMap();
    arena_ = &arena;
  }

  T* find(std::uint64_t key) const {
    if (slots_ == nullptr) return nullptr;
    return slot_of(slots_, mask_, key)->value;
  }

  // The value of that key, new and zeroed if there was none. Null when memory is used up.
  T* find_or_make(std::uint64_t key) {
    if (slots_ != nullptr) {
      if (T* const known = slot_of(slots_, mask_, key)->value) return known;
    }
    if ((count_ + 1) * 4 > capacity() * 3 && !grow()) return nullptr;
    T* const value = arena_->make<T>();
    if (value == nullptr) return nullptr;
    Slot* const slot = slot_of(slots_, mask_, key);
    slot->key = key;
    slot->value = value;
    ++count_;
    return value;
  }

  std::size_t size() const { return count_; }

 private:
  struct Slot {
    std::uint64_t key;
    T* value;  // null: free
  };

  std::size_t capacity() const { return slots_ == nullptr ? 0 : mask_ + 1; }

  static Slot* slot_of(Slot* slots, std::size_t mask, std::uint64_t key) {
    std::size_t i = mix64(key) & mask;
    while (slots[i].value != nullptr && slots[i].key != key) i = (i + 1) & mask;
    return &slots[i];
  }

  bool grow() {
    const std::size_t larger = capacity() == 0 ? 64 : capacity() * 2;
    Slot* const slots = arena_->template make_array<Slot>(larger);
    if (slots == nullptr) return count_ + 1 < capacity();
    for (std::size_t i = 0; i < capacity(); ++i) {
      if (slots_[i].value != nullptr) *slot_of(slots, larger - 1, slots_[i].key) = slots_[i];
    }
    slots_ = slots;
    mask_ = larger - 1;
    return true;
  }

  Arena* arena_ = nullptr;
  Slot* slots_ = nullptr;
  std::size_t mask_ = 0;
  std::size_t count_ = 0;
};

}  // namespace heddle
