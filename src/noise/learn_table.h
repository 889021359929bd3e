// What placements learn is kept in tables of fixed size: no heap, the same answer whatever the
// order in which threads come, and room that runs out instead of growing. What does not fit is
// counted and not learned.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hash.h"

namespace heddle {

// A number that threads of the free engine change at the same time. Nothing else hangs on its
// order, so it is relaxed; plain data, so that a table of them starts as zeros without a
// constructor.
template <class T>
class Relaxed {
 public:
  T load() const { return __atomic_load_n(&value_, __ATOMIC_RELAXED); }
  void store(T value) { __atomic_store_n(&value_, value, __ATOMIC_RELAXED); }
  T add(T value) { return __atomic_fetch_add(&value_, value, __ATOMIC_RELAXED); }
  T set_bits(T bits) { return __atomic_fetch_or(&value_, bits, __ATOMIC_RELAXED); }
  bool replace(T& expected, T value) {
    return __atomic_compare_exchange_n(&value_, &expected, value, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
  }

 private:
  T value_;
};

// Guards one entry of several words. Nobody ever waits for it: who finds it taken passes on.
class TryLock {
 public:
  bool take() { return __atomic_exchange_n(&taken_, 1, __ATOMIC_ACQUIRE) == 0; }
  void give() { __atomic_store_n(&taken_, 0, __ATOMIC_RELEASE); }

 private:
  std::uint8_t taken_;
};

// From 64-bit keys (variables, sites) to values that start as all zero. Keys are kept whole, so two
// never share a value.
template <class Value, std::size_t N>
class LearnTable {
 public:
  // Between runs; nobody else may use the table meanwhile.
  void clear() {
    if (!dirty_.load()) return;  // untouched pages stay untouched
    for (Slot& slot : slots_) slot = Slot{};
    dirty_.store(0);
    overflow_.store(0);
  }

  // Null if the key was never added.
  Value* find(std::uint64_t key) {
    key = stored(key);
    for (std::size_t probe = 0; probe < kProbes; ++probe) {
      Slot& slot = slots_[place(key, probe)];
      const std::uint64_t found = slot.key.load();
      if (found == key) return &slot.value;
      if (found == 0) return nullptr;
    }
    return nullptr;
  }

  // Null if there is no room near its place.
  Value* find_or_add(std::uint64_t key) {
    key = stored(key);
    for (std::size_t probe = 0; probe < kProbes; ++probe) {
      Slot& slot = slots_[place(key, probe)];
      std::uint64_t found = slot.key.load();
      if (found == 0) {
        if (slot.key.replace(found, key)) {
          if (!dirty_.load()) dirty_.store(1);
          return &slot.value;
        }
      }
      if (found == key) return &slot.value;
    }
    overflow_.add(1);
    return nullptr;
  }

  // In the order of the table, which depends on the keys alone as long as it does not overflow.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Slot& slot : slots_) {
      if (const std::uint64_t key = slot.key.load()) visit(key == kZero ? 0 : key, slot.value);
    }
  }

  std::uint64_t overflow() const { return overflow_.load(); }

 private:
  static constexpr std::size_t kProbes = 16;
  static constexpr std::uint64_t kZero =
      ~std::uint64_t{0};  // stands for key 0, which marks a free slot

  struct Slot {
    Relaxed<std::uint64_t> key;
    Value value;
  };

  static std::uint64_t stored(std::uint64_t key) { return key == 0 ? kZero : key; }
  static std::size_t place(std::uint64_t key, std::size_t probe) {
    return (mix64(key) + probe) % N;
  }

  Slot slots_[N];
  Relaxed<std::uint8_t> dirty_;
  Relaxed<std::uint64_t> overflow_;
};

}  // namespace heddle
