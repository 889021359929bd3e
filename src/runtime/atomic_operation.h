// The real atomic operations behind the TSan ABI, and the frame in which each is carried out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/controlled/operations.h"
#include "runtime/free_detect.h"
#include "runtime/free_engine.h"

namespace heddle::runtime {

// unsigned __int128 has no __atomic builtins that stay out of libatomic: everything is done with cmpxchg16b.
using Wide = unsigned __int128;

constexpr MemoryOrder order_of(int order) {
  const int plain = order & 0xff;  // older clangs set hint bits above
  return plain <= static_cast<int>(MemoryOrder::seq_cst) ? static_cast<MemoryOrder>(plain)
                                                         : MemoryOrder::seq_cst;
}

// Compares *target with *expected; stores desired if equal, otherwise loads *target into *expected.
inline bool cas_wide(volatile Wide* target, Wide* expected, Wide desired) {
  auto low = static_cast<std::uint64_t>(*expected);
  auto high = static_cast<std::uint64_t>(*expected >> 64);
  bool equal;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(equal), "+m"(*target), "+a"(low), "+d"(high)
               : "b"(static_cast<std::uint64_t>(desired)),
                 "c"(static_cast<std::uint64_t>(desired >> 64))
               : "memory");
  *expected = Wide{high} << 64 | low;
  return equal;
}

template <class T>
bool compare_exchange(volatile T* target, T* expected, T desired) {
  if constexpr (sizeof(T) == 16)
    return cas_wide(target, expected, desired);
  else
    return __atomic_compare_exchange_n(target, expected, desired, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}

template <class T>
T load(const volatile T* source) {
  if constexpr (sizeof(T) == 16) {
    Wide value = 0;
    cas_wide(const_cast<volatile Wide*>(source), &value, 0);
    return value;
  } else {
    return __atomic_load_n(source, __ATOMIC_SEQ_CST);  // a plain load on x86, whatever the order
  }
}

template <class T>
void store(volatile T* target, T value, MemoryOrder order) {
  if constexpr (sizeof(T) == 16) {
    Wide seen = 0;
    while (!cas_wide(target, &seen, value)) {
    }
  } else if (order == MemoryOrder::seq_cst) {
    __atomic_store_n(target, value, __ATOMIC_SEQ_CST);
  } else {
    __atomic_store_n(target, value, __ATOMIC_RELEASE);
  }
}

// Read, change, write as one step; returns what was there. x86 has no weaker form than sequentially consistent.
template <class T, class Change>
T modify(volatile T* target, Change change) {
  T seen = sizeof(T) == 16 ? T{0} : load(target);
  while (!compare_exchange(target, &seen, static_cast<T>(change(seen)))) {
  }
  return seen;
}

struct AtomicResult {
  std::uint64_t value;  // what the object holds after it, as far as 64 bits show it
  bool stored;
};

// Carries it out where nobody but fasttrack looks.
template <class Operation>
[[gnu::always_inline]] inline void show_alone(ThreadState& thread, const AtomicStep& step,
                                              Operation&& operation) {
  const InRuntime guard(thread);  // a signal handler must not wait for its own thread
  if (step.kind == EventKind::atomic_load && step.order != MemoryOrder::relaxed) {
    const ShownLoad load = begin_shown_load(step);
    operation();
    if (end_shown_load(step, load)) return;
  }
  void* const held = begin_shown_atomic(step);
  const AtomicResult result = operation();
  end_shown_atomic(step, result.stored, held);
}

// Announces the operation to the engine, carries it out, reports what came of it. `operation` does the real thing and
// returns an AtomicResult.
template <class Operation>
[[gnu::always_inline]] inline void perform(const volatile void* address, std::size_t size,
                                           EventKind kind, MemoryOrder order, void* caller,
                                           Operation&& operation) {
  if (inactive()) [[likely]] {
    operation();
    return;
  }
  const void* const object = const_cast<const void*>(address);
  if (under_control(g_level == Level::sync ? ComesBack::no : ComesBack::yes)) {
    controlled::before_atomic(object, size, kind, order, caller);
    const AtomicResult result = operation();
    controlled::after_atomic(object, size, kind, order, result.value, result.stored);
    return;
  }
  ThreadState& thread = self();
  if (detects_alone(thread)) {
    count_alone(thread);
    show_alone(thread,
               {thread.id, kind, order, static_cast<std::uint8_t>(size),
                reinterpret_cast<std::uint64_t>(object), caller},
               operation);
    return;
  }
  if (!free_engine_wants(kind)) {
    operation();
    return;
  }
  const Occurrence occurrence{kind, object, caller, 0, static_cast<std::uint8_t>(size), order};
  if (!g_events_pass) free_event(occurrence, EventPhase::before);
  if (!g_detecting) {
    operation();
  } else if (g_tracking_alone) {
    show_alone(thread,
               {thread.id, kind, order, static_cast<std::uint8_t>(size),
                reinterpret_cast<std::uint64_t>(object), caller},
               operation);
  } else {
    if (g_events_pass) count_free_event(thread);
    const InRuntime guard(thread);  // a signal handler must not wait for its own thread
    hold_detectors();
    const AtomicResult result = operation();
    free_detect_atomic(thread, occurrence, result.value, result.stored);
    let_detectors_go();
  }
  if (!g_events_pass) free_event(occurrence, EventPhase::after);
}

// A happens-before edge that the program tells us of, without an operation of ours.
inline void annotate(const volatile void* address, EventKind kind, MemoryOrder order,
                     void* caller) {
  const bool stores = kind != EventKind::atomic_load;
  perform(address, 0, kind, order, caller, [=] { return AtomicResult{0, stores}; });
}
inline void annotate_acquire(const volatile void* address, void* caller) {
  annotate(address, EventKind::atomic_load, MemoryOrder::acquire, caller);
}
inline void annotate_release(const volatile void* address, void* caller) {
  // What was released there before is not taken back: a read-modify-write.
  annotate(address, EventKind::atomic_rmw, MemoryOrder::release, caller);
}

}  // namespace heddle::runtime
