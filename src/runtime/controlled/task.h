// A program thread as the controlled engine knows it: what it is about to do, and whether it can.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <cstdint>

#include "base/fixed_vector.h"
#include "contract/schedule_point.h"
#include "runtime/call_stack.h"
#include "runtime/controlled/polling.h"
#include "runtime/controlled/vector_clock.h"
#include "runtime/thread.h"

namespace heddle::controlled {

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

enum class TaskState : std::uint8_t {
  unused,
  live,     // runs, or could once its pending operation is enabled
  outside,  // in a call we do not model; the others go on without it
  ended,
};

// For "who holds what since where". Locks past the capacity are not listed; nothing decides by this.
struct HeldLock {
  const void* lock;
  SiteId site;
};

// What an address in the program and a place that uses it are called, for as long as neither changes (identity.h).
struct Named {
  const void* address;
  const void* caller;
  std::uint64_t places_changed;
  std::uint64_t blocks_changed;
  ObjectId object;
  SiteId site;
};

struct Task;

struct FreshBlock {
  void* start;
  std::size_t size;
};

// A wait in whose middle a handler runs: wake-ups reach it all the same.
struct SuspendedWait {
  const void*
      frame;  // where it is kept up: once the thread's stack is shorter it has been left for good
  bool (*ready)(const Task&);
  const void* object;
  std::uint64_t queued;
  bool notified;
};

struct FenceClocks;

struct Task {
  ThreadId id;
  TaskState state;
  std::uint32_t wake_word;  // futex of the os carrier, see carrier.h

  // The operation it performs when it next has control, and whether that can be done: null means yes.
  PendingOperation pending;
  bool (*ready)(const Task&);
  const void* wait_object;  // for ready() and for reports
  std::uint64_t wait_value;
  std::uint64_t deadline;          // virtual time at which it goes on anyway; kNever: none
  std::uint64_t honest_deadline;   // see Intent
  std::uint64_t real_until;        // real time before which its deadline does not count; 0: none
  const pthread_mutex_t* relocks;  // which a condition wait outside control takes again at its end
  const void* inside_once;   // the control of a once whose routine it runs, or ran until that threw
  const void* once_control;  // that it is about to pass,
  void (*once_routine)();    // and the routine, until it runs
  std::uint64_t queued;      // arrival order among waiters
  bool notified;             // a waker chose it
  bool timed_out;            // it goes on because of its deadline
  bool interrupted;          // it goes on because a handler of a signal has ended its wait
  bool may_miss_wake_ups;    // while a handler runs in its wait,
  bool looks_again;          // and one has
  bool at_rest;  // it waits for nothing: of all these but wait_object none says anything
  bool shared;   // see Intent
  bool patient;  // it counts as able to go on, and waits when it is its turn (other_processes.h)
  bool lost_control;    // the watchdog took it
  bool asked_to_leave;  // by the watchdog, while it was in our own code
  bool cancelled;       // pthread_cancel was called on it
  bool cancel_disabled;
  bool cancelled_at_once;       // if so, wherever it is: PTHREAD_CANCEL_ASYNCHRONOUS
  bool takes_mutex_first;       // but not before it has the mutex of its condition wait
  bool ending;                  // cancelled, or in pthread_exit: nothing cancels it any more
  bool polled_clock;            // the clock is among what it polls
  bool gives_way;               // it has yielded since it last changed anything
  bool yielding;                // gave way at its last operation
  bool halted;                  // by noise: until nobody else can go on
  std::uint8_t noise_priority;  // by noise: 0 normal, 19 least urgent
  std::uint32_t noise_yields;   // how often it still lets others go first, by noise
  std::uint64_t
      held_until;  // by noise: the step at which it goes on at the latest; 0: it is not held

  std::uint64_t passed_over_since;  // it can go on and was not chosen: the effort then

  std::uint64_t points;     // its scheduling points so far
  std::uint64_t worked_ns;  // virtual time that passed while it had control
  std::uint64_t events;     // its events so far: part of their identity in the schedule hash
  Polling polling;          // in vain: it goes on only when something changed or nobody else can

  std::uint32_t signals;             // sent to it by other threads, a bit each (signals.h)
  std::uint32_t signals_of_process;  // of those, the ones that went to the whole process
  std::uint32_t expiries;            // timers whose signal waits for it (signal_timers.h)
  std::uint32_t queued_signals;      // sent to it with more than a number (signal_queue.h)
  bool suspended;                    // it waits for a handler to run, with a mask for that time
  std::uint64_t suspended_mask;
  std::uint64_t blocked_signals;   // as the kernel said when it was parked there:
  std::uint64_t blocked_asked_at;  // its points then, plus one

  const void* store_address;  // a traced store whose value is not known yet
  std::uint64_t store_trace_index;
  std::uint64_t atomic_before;  // what an atomic object held when the operation began
  void* atomic_caller;          // and who asked for it
  std::uint8_t store_size;
  bool cancellation_point;    // its pending operation is one
  std::uint32_t* world_wait;  // counts it, while it waits for the world (world_waits.h); else null

  pthread_t handle;
  pid_t tid;
  Task* next_returned;  // list of threads back from outside
  bool detached;
  bool joined;
  std::uint8_t end_rounds;  // rounds of its thread-specific data destructors
  SiteId create_site;
  void* (*routine)(void*);
  void* argument;
  std::uint64_t path_hash;
  std::uint64_t stack_top;
  runtime::ThreadState* thread;  // null until it started
  runtime::WatchedCalls calls;   // likewise
  Clock clock;                   // order.h
  std::uint64_t learned;         // how often that took in what others know
  FenceClocks* fences;           // null until it needs them
  std::uint16_t phase;           // classification.h: its present one, shifted, bit 0 set
  static constexpr std::size_t kMostNamed = 32;
  Named named[kMostNamed];  // what it used lately
  FixedVector<HeldLock, 24> held;
  FixedVector<SuspendedWait, 4> suspended_waits;
  // Allocated outside control, not yet told. It comes back when this is full.
  FixedVector<FreshBlock, 16> fresh;
};

// It has begun and not ended.
inline bool is_there(const Task& task) {
  return (task.state == TaskState::live || task.state == TaskState::outside) && task.tid != 0;
}

}  // namespace heddle::controlled
