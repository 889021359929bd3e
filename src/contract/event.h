// An event is plain data, and the compiler proves it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "contract/ids.h"

namespace heddle {

// Stored in traces: append only, never renumber.
enum class EventKind : std::uint8_t {
  none = 0,
  // threads; object is the other thread
  thread_create = 1,
  thread_start,
  thread_exit,
  thread_join,
  thread_detach,
  thread_cancel,
  // mutexes (pthread, C11, spin): object is the mutex
  mutex_init = 10,
  mutex_lock,
  mutex_trylock,
  mutex_timedlock,
  mutex_unlock,
  mutex_destroy,
  spin_lock,
  spin_trylock,
  spin_unlock,
  // reader-writer locks
  rwlock_rdlock = 20,
  rwlock_tryrdlock,
  rwlock_timedrdlock,
  rwlock_wrlock,
  rwlock_trywrlock,
  rwlock_timedwrlock,
  rwlock_unlock,
  rwlock_init,
  rwlock_destroy,
  // condition variables: object is the condvar, argument the mutex's object id
  cond_wait = 30,
  cond_timedwait,
  cond_signal,
  cond_broadcast,
  cond_init,
  cond_destroy,
  // barriers, semaphores, once
  barrier_wait = 40,
  barrier_init,
  barrier_destroy,
  sem_wait = 44,
  sem_trywait,
  sem_timedwait,
  sem_post,
  sem_init,
  sem_destroy,
  once = 50,
  // futexes through libc's syscall(); argument is the operation
  futex_wait = 52,
  futex_wake,
  futex_requeue,
  // time
  sleep = 56,  // argument is the nanoseconds asked for
  yield,
  clock_read,
  // atomics; argument of a read-modify-write and a compare-and-swap is what was there before
  atomic_load = 60,
  atomic_store,
  atomic_rmw,
  atomic_cas,
  atomic_fence,
  // plain memory
  read = 70,
  write,
  read_write,  // one callback for both halves of x++ (clang can emit it)
  read_range,  // argument is the length
  write_range,
  vptr_read,
  vptr_write,
  freed,  // a block of the heap is given back; argument is the length
  // functions
  function_enter = 80,
  function_exit,
  // heap; argument is the size
  allocate = 84,
  // process
  fork = 90,
  exec,
  process_exit,
  blocking_call,  // a system call that may wait for the outside world
  signal,         // a handler runs; argument is the signal's number
  signal_send,    // object is the other thread, argument the number
};

constexpr bool is_plain_access(EventKind kind) {
  return kind >= EventKind::read && kind <= EventKind::freed;
}
constexpr bool is_atomic(EventKind kind) {
  return kind >= EventKind::atomic_load && kind <= EventKind::atomic_fence;
}
constexpr bool is_memory_access(EventKind kind) { return is_plain_access(kind) || is_atomic(kind); }
constexpr bool is_memory_write(EventKind kind) {
  return kind == EventKind::write || kind == EventKind::read_write ||
         kind == EventKind::write_range || kind == EventKind::vptr_write ||
         kind == EventKind::freed || kind == EventKind::atomic_store ||
         kind == EventKind::atomic_rmw || kind == EventKind::atomic_cas;
}
constexpr bool is_memory_read(EventKind kind) {
  return kind == EventKind::read || kind == EventKind::read_write ||
         kind == EventKind::read_range || kind == EventKind::vptr_read ||
         kind == EventKind::atomic_load || kind == EventKind::atomic_rmw ||
         kind == EventKind::atomic_cas;
}
// Every other kind is synchronisation or bookkeeping: it counts as a write to its object.
constexpr bool is_read_only(EventKind kind) {
  return kind == EventKind::read || kind == EventKind::read_range || kind == EventKind::vptr_read ||
         kind == EventKind::atomic_load || kind == EventKind::clock_read;
}

// C++'s memory orders, in the numbering of the TSan ABI.
enum class MemoryOrder : std::uint8_t {
  relaxed,
  consume,
  acquire,
  release,
  acq_rel,
  seq_cst,
  none
};

enum class EventPhase : std::uint8_t { before, after };  // in a trace, after: no scheduling point

struct Event {
  std::uint64_t
      step;  // position in the run's total order (controlled), or the thread's own count (free)
  ObjectId object;         // what was touched
  SiteId site;             // where in the program
  std::uint64_t value;     // read or written; a store's is filled in at the thread's next event
  std::uint64_t argument;  // see EventKind
  ThreadId thread;         // who
  EventKind kind;
  EventPhase phase;
  std::uint8_t size;    // of a memory access
  MemoryOrder order;    // of an atomic
  std::int16_t result;  // of a call, after it: 0 or an errno value
};
static_assert(sizeof(Event) == 48);
static_assert(std::has_unique_object_representations_v<Event>, "no padding may reach a trace");

}  // namespace heddle
