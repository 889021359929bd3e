// The stream of events that analyses and detectors are fed with: when an event is shown, and what its fields hold.
//
// An event is shown in the order of effect, with phase `after`: it happens now. Three kinds last, and are shown twice:
//   cond_wait, cond_timedwait   before: the mutex (argument) is given back; after: it is held again, with
//                               result 0 if a signal has woken the thread
//   barrier_wait                before: arrives; after: leaves
//   once                        before: enters; after: returns, with value 1 if the routine ran
// A plain access may be announced (phase `before`) when its thread gets there; it then happens at `after`. A free engine
// cannot tell the two apart and shows only `after`.
//
// object: any number that names a byte, neighbours having neighbouring numbers: an address in a live run, an ObjectId
// in a trace. thread_create, _join, _detach: `argument` is the other thread. Locks: result 0 or EOWNERDEAD means
// taken. Atomics: result 0 means stored, for those that may not store. allocate: [object, object + argument) is
// somebody's afresh. Mutexes: argument 1 says robust. thread_create: value 1 says detached. Locks and condition variables
// in use: value 1 says that nothing speaks against their having been initialised since they were last destroyed or freed.
#pragma once

#include <cerrno>
#include <cstdint>

#include "contract/event.h"

namespace heddle {

// `argument` of the mutex_lock that ends a wait which no signal has ended.
constexpr std::uint64_t kLeftUnwoken = 2;

constexpr bool is_range(EventKind kind) {
  return kind == EventKind::read_range || kind == EventKind::write_range ||
         kind == EventKind::freed;
}
constexpr std::uint64_t access_size(const Event& event) {
  return is_range(event.kind) ? event.argument : event.size;
}
constexpr bool succeeded(const Event& event) {
  return event.result == 0 || event.result == EOWNERDEAD;
}
constexpr bool takes_mutex(EventKind kind) {
  return (kind >= EventKind::mutex_lock && kind <= EventKind::mutex_timedlock) ||
         kind == EventKind::spin_lock || kind == EventKind::spin_trylock;
}
constexpr bool gives_mutex(EventKind kind) {
  return kind == EventKind::mutex_unlock || kind == EventKind::spin_unlock;
}
constexpr bool takes_shared(EventKind kind) {
  return kind >= EventKind::rwlock_rdlock && kind <= EventKind::rwlock_timedrdlock;
}
constexpr bool takes_exclusive(EventKind kind) {
  return kind >= EventKind::rwlock_wrlock && kind <= EventKind::rwlock_timedwrlock;
}
// A failed try cannot wait, so it cannot deadlock.
constexpr bool only_tries(EventKind kind) {
  return kind == EventKind::mutex_trylock || kind == EventKind::spin_trylock ||
         kind == EventKind::rwlock_tryrdlock || kind == EventKind::rwlock_trywrlock;
}
// Nor can one whose patience ends.
constexpr bool gives_up(EventKind kind) {
  return only_tries(kind) || kind == EventKind::mutex_timedlock ||
         kind == EventKind::rwlock_timedrdlock || kind == EventKind::rwlock_timedwrlock;
}
constexpr bool is_wait(EventKind kind) {
  return kind == EventKind::cond_wait || kind == EventKind::cond_timedwait;
}
constexpr bool takes_semaphore(EventKind kind) {
  return kind >= EventKind::sem_wait && kind <= EventKind::sem_timedwait;
}
constexpr bool acquires(MemoryOrder order) {
  return order == MemoryOrder::acquire || order == MemoryOrder::consume ||
         order == MemoryOrder::acq_rel || order == MemoryOrder::seq_cst;
}
constexpr bool releases(MemoryOrder order) {
  return order == MemoryOrder::release || order == MemoryOrder::acq_rel ||
         order == MemoryOrder::seq_cst;
}
// Did this atomic put a value there? A failed compare-and-swap only reads.
constexpr bool stores(const Event& event) {
  return event.kind == EventKind::atomic_store || event.kind == EventKind::atomic_rmw ||
         (event.kind == EventKind::atomic_cas && event.result == 0);
}

// An atomic operation where threads run in parallel: it is shown as it happens, and not as an event afterwards.
struct AtomicStep {
  ThreadId thread;
  EventKind kind;
  MemoryOrder order;
  std::uint8_t size;  // 0: it stands for an order and for no access
  std::uint64_t object;
  const void* caller;
};

// What an atomic really was, where it was not carried out as its kind says.
constexpr EventKind carried_out(const Event& event) {
  const bool failed = event.kind == EventKind::atomic_cas && event.result != 0;
  return failed ? EventKind::atomic_load : event.kind;
}

}  // namespace heddle
