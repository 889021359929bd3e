// One template for each kind of atomic entry point; the entry points themselves only name a width.
#pragma once

#include "runtime/atomic_operation.h"

namespace heddle::runtime {

struct Exchange {
  template <class T>
  static T apply(volatile T* target, T value) {
    if constexpr (sizeof(T) == 16)
      return modify(target, [=](T) { return value; });
    else
      return __atomic_exchange_n(target, value, __ATOMIC_SEQ_CST);
  }
  template <class T>
  static T after(T, T value) {
    return value;
  }
};

struct Add {
  template <class T>
  static T apply(volatile T* target, T value) {
    if constexpr (sizeof(T) == 16)
      return modify(target, [=](T seen) { return seen + value; });
    else
      return __atomic_fetch_add(target, value, __ATOMIC_SEQ_CST);
  }
  template <class T>
  static T after(T seen, T value) {
    return static_cast<T>(seen + value);
  }
};

struct Sub {
  template <class T>
  static T apply(volatile T* target, T value) {
    return Add::apply(target, static_cast<T>(T{0} - value));
  }
  template <class T>
  static T after(T seen, T value) {
    return static_cast<T>(seen - value);
  }
};

// The bitwise ones are compare-and-swap loops on x86 as soon as the old value is wanted.
template <class Bits>
struct Bitwise {
  template <class T>
  static T apply(volatile T* target, T value) {
    return modify(target, [=](T seen) { return Bits::of(seen, value); });
  }
  template <class T>
  static T after(T seen, T value) {
    return Bits::of(seen, value);
  }
};
struct And : Bitwise<And> {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
};
struct Or : Bitwise<Or> {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
};
struct Xor : Bitwise<Xor> {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
};
struct Nand : Bitwise<Nand> {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(~(a & b));
  }
};

template <class T>
T atomic_load(const volatile T* address, int order, void* caller) {
  T value{};
  perform(address, sizeof(T), EventKind::atomic_load, order_of(order), caller, [&] {
    value = load(address);
    return AtomicResult{static_cast<std::uint64_t>(value), false};
  });
  return value;
}

template <class T>
void atomic_store(volatile T* address, T value, int order, void* caller) {
  perform(address, sizeof(T), EventKind::atomic_store, order_of(order), caller, [&] {
    store(address, value, order_of(order));
    return AtomicResult{static_cast<std::uint64_t>(value), true};
  });
}

template <class Operation, class T>
T atomic_change(volatile T* address, T value, int order, void* caller) {
  T seen{};
  perform(address, sizeof(T), EventKind::atomic_rmw, order_of(order), caller, [&] {
    seen = Operation::apply(address, value);
    return AtomicResult{static_cast<std::uint64_t>(Operation::after(seen, value)), true};
  });
  return seen;
}

// weak may fail without a reason, but need not.
template <class T>
bool atomic_cas(volatile T* address, T* expected, T desired, int order, void* caller) {
  bool stored = false;
  perform(address, sizeof(T), EventKind::atomic_cas, order_of(order), caller, [&] {
    stored = compare_exchange(address, expected, desired);
    return AtomicResult{static_cast<std::uint64_t>(stored ? desired : *expected), stored};
  });
  return stored;
}

}  // namespace heddle::runtime
