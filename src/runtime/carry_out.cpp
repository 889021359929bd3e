#include "runtime/carry_out.h"

#include <linux/futex.h>
#include <sys/resource.h>
#include <time.h>

#include "base/hash.h"
#include "runtime/platform/futex.h"
#include "runtime/platform/syscall.h"

namespace heddle::runtime {

std::uint32_t g_inverse_owner = 0;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
// Whoever holds others back for a number of operations may itself be blocked: others wait no longer than this.
constexpr std::uint64_t kLongestWay = 20'000'000;

std::uint64_t clock_ns(long clock) {
  timespec now{};
  raw_syscall(SYS_clock_gettime, clock, as_word(&now));
  return static_cast<std::uint64_t>(now.tv_sec) * kSecond + static_cast<std::uint64_t>(now.tv_nsec);
}

void sleep_for(std::uint64_t nanoseconds) {
  timespec time{static_cast<time_t>(nanoseconds / kSecond),
                static_cast<long>(nanoseconds % kSecond)};
  while (raw_syscall(SYS_nanosleep, as_word(&time), as_word(&time)) == -4) {
  }
}

void yield_times(std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; ++i) raw_syscall(SYS_sched_yield);
}

void spin_for(std::uint64_t nanoseconds) {
  const std::uint64_t end = monotonic_ns() + nanoseconds;
  while (monotonic_ns() < end) {
    for (int i = 0; i < 50; ++i) __builtin_ia32_pause();
  }
}

// wait: all disturbed threads share one monitor, which orders what they did before and do after; nobody notifies.
std::uint32_t g_monitor = 0;
void wait_on_monitor(std::uint64_t nanoseconds) {
  const std::uint32_t seen = __atomic_fetch_add(&g_monitor, 0, __ATOMIC_ACQ_REL);
  futex_wait(&g_monitor, seen, nanoseconds);
  __atomic_fetch_add(&g_monitor, 0, __ATOMIC_ACQ_REL);
}

constinit FutexLock g_synch_yield_lock;
void synch_yield(std::uint64_t times) {
  g_synch_yield_lock.lock();
  yield_times(times);
  g_synch_yield_lock.unlock();
}

// barrier: who comes second lets the first go. Objects share words by hash; a stranger's arrival ends a wait early.
struct BarrierPlace {
  std::uint32_t arrivals;
  std::uint32_t waiting;
};
constexpr std::size_t kBarrierPlaces = 256;
BarrierPlace g_barriers[kBarrierPlaces];
void hold_at(const void* object, std::uint64_t nanoseconds) {
  BarrierPlace& place =
      g_barriers[mix64(reinterpret_cast<std::uint64_t>(object) >> 3) % kBarrierPlaces];
  const std::uint32_t seen = __atomic_add_fetch(&place.arrivals, 1, __ATOMIC_ACQ_REL);
  if (__atomic_load_n(&place.waiting, __ATOMIC_ACQUIRE) != 0) {
    futex_wake(&place.arrivals, 1 << 20);
    return;
  }
  __atomic_fetch_add(&place.waiting, 1, __ATOMIC_ACQ_REL);
  futex_wait(&place.arrivals, seen, nanoseconds);
  __atomic_fetch_sub(&place.waiting, 1, __ATOMIC_ACQ_REL);
}

std::uint32_t g_gone = 0;  // changes whenever a thread ends
bool g_halted = false;     // one at a time
void halt(std::uint64_t nanoseconds) {
  if (__atomic_exchange_n(&g_halted, true, __ATOMIC_ACQ_REL)) return;
  // The rest of the program may be waiting for this very thread: the strength is how long it stays at most.
  const std::uint64_t end = monotonic_ns() + nanoseconds;
  for (std::uint64_t now = monotonic_ns(); now < end; now = monotonic_ns()) {
    const std::uint32_t seen = __atomic_load_n(&g_gone, __ATOMIC_ACQUIRE);
    if (seen + 1 >= thread_count()) break;  // all the others have ended
    futex_wait(&g_gone, seen, end - now);
  }
  __atomic_store_n(&g_halted, false, __ATOMIC_RELEASE);
}

std::uint64_t g_inverse_left = 0;
void hold_others(const ThreadState& thread, std::uint64_t operations) {
  std::uint32_t nobody = 0;
  if (operations == 0 || !__atomic_compare_exchange_n(&g_inverse_owner, &nobody,
                                                      static_cast<std::uint32_t>(thread.tid), false,
                                                      __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return;
  }
  __atomic_store_n(&g_inverse_left, operations, __ATOMIC_RELEASE);
}

void release_others(std::uint32_t owner) {
  if (__atomic_compare_exchange_n(&g_inverse_owner, &owner, 0, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_RELAXED)) {
    futex_wake(&g_inverse_owner, 1 << 20);
  }
}

}  // namespace

std::uint64_t monotonic_ns() { return clock_ns(CLOCK_MONOTONIC); }

void note_thread_gone() {
  __atomic_fetch_add(&g_gone, 1, __ATOMIC_ACQ_REL);
  futex_wake(&g_gone, 1 << 20);
}

void give_way(const ThreadState& thread) {
  const std::uint32_t owner = __atomic_load_n(&g_inverse_owner, __ATOMIC_ACQUIRE);
  if (owner == 0) return;
  if (owner == static_cast<std::uint32_t>(thread.tid)) {
    if (__atomic_sub_fetch(&g_inverse_left, 1, __ATOMIC_ACQ_REL) == 0) release_others(owner);
    return;
  }
  if (futex_wait(&g_inverse_owner, owner, kLongestWay) == WaitEnd::timed_out) release_others(owner);
}

void carry_out(Disturbance disturbance, const ThreadState& thread, const void* object) {
  switch (disturbance.kind) {
    case DisturbanceKind::none:
      return;
    case DisturbanceKind::yield:
      return yield_times(disturbance.amount);
    case DisturbanceKind::sleep:
      return sleep_for(disturbance.amount);
    case DisturbanceKind::wait:
      return wait_on_monitor(disturbance.amount);
    case DisturbanceKind::synch_yield:
      return synch_yield(disturbance.amount);
    case DisturbanceKind::busy_wait:
      return spin_for(disturbance.amount);
    case DisturbanceKind::priority:
      // Back to less nice is refused to ordinary users unless RLIMIT_NICE allows it: then the thread stays as it is.
      raw_syscall(SYS_setpriority, PRIO_PROCESS, thread.tid, static_cast<long>(disturbance.amount));
      return;
    case DisturbanceKind::barrier:
      return hold_at(object, disturbance.amount);
    case DisturbanceKind::halt:
      return halt(disturbance.amount);
    case DisturbanceKind::inverse:
      return hold_others(thread, disturbance.amount);
  }
}

}  // namespace heddle::runtime
