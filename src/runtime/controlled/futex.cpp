// SYS_futex through libc's syscall(): C++20 atomic wait, latch, barrier, semaphore, futures, static guards.
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include "runtime/controlled/clock.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/futex_pi.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/waiters.h"
#include "runtime/controlled/world.h"
#include "runtime/identity.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

namespace {

ThreadId g_waiters[kMaxThreads];

// The low half of wait_value is the bit set, the high one what the word held: another process's wake-up is not seen here,
// what it did to the word is.
bool futex_ready(const Task& task) {
  if (task.notified || !(task.shared || task.looks_again)) return task.notified;
  const auto* const word = static_cast<const std::uint32_t*>(task.wait_object);
  return __atomic_load_n(word, __ATOMIC_SEQ_CST) != task.wait_value >> 32;
}

long fail(int error) {
  errno = error;
  return -1;
}

long in_kernel(std::uint32_t* word, int operation, std::uint32_t value, const timespec* timeout,
               std::uint32_t* word2, std::uint32_t value3) {
  return runtime::raw_syscall(SYS_futex, reinterpret_cast<long>(word), operation, value,
                              reinterpret_cast<long>(timeout), reinterpret_cast<long>(word2),
                              value3);
}

bool is_aligned(const std::uint32_t* word) {
  return reinterpret_cast<std::uint64_t>(word) % alignof(std::uint32_t) == 0;
}

// Memory that has a name is there. Of the rest the kernel knows: it looks at the word before it moves nobody.
bool is_readable(std::uint32_t* word, ObjectId name) {
  const ObjectKind kind = object_kind(name);
  if (kind == ObjectKind::global || kind == ObjectKind::stack) return true;
  if (kind == ObjectKind::heap && !runtime::is_freed(word)) return true;
  return in_kernel(word, FUTEX_CMP_REQUEUE | FUTEX_PRIVATE_FLAG, 0, nullptr, word, 0) != -EFAULT;
}

long wait(std::uint32_t* word, int operation, std::uint32_t value, const timespec* timeout,
          std::uint32_t bits, Caller caller) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  if (bits == 0) return fail(EINVAL);
  Intent intent{EventKind::futex_wait, word, caller};
  intent.argument = value;
  if (timeout != nullptr) {
    if (!valid(*timeout) || timeout->tv_sec < 0) return fail(EINVAL);
    const bool relative = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT;
    const clockid_t clock =
        (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    intent.deadline = relative ? virtual_after(*timeout) : virtual_deadline(clock, *timeout);
  }
  const std::uint64_t deadline = intent.deadline;
  intent.deadline = kNever;
  g_engine.point(self, intent);
  if (!is_readable(word, self.pending.object)) {
    g_engine.commit(self, intent, 0, EFAULT, false);
    return fail(EFAULT);
  }
  intent.goes_on = true;  // looking at the word and waiting are one
  const bool waits = __atomic_load_n(word, __ATOMIC_SEQ_CST) == value;
  g_engine.commit(self, intent, waits ? 1 : 0, 0, false);
  if (!waits) return fail(EAGAIN);
  self.notified = false;
  self.queued = ++g_engine.queue_counter;
  intent.deadline = deadline;
  tamper(self, intent);
  intent.ready = futex_ready;
  intent.wait_value = bits | static_cast<std::uint64_t>(value) << 32;
  // Many libraries do not say that a futex is private: only where the memory may be shared is it more than that.
  intent.shared = (operation & FUTEX_PRIVATE_FLAG) == 0 && is_shared_memory(word);
  intent.looks_again = true;
  // The kernel does not begin a wait anew whose time runs.
  intent.interruption = timeout != nullptr ? Interruption::always : Interruption::unless_restarted;
  g_engine.point(self, intent);
  const bool interrupted = self.interrupted;
  const bool has_changed = self.looks_again && !self.timed_out && !interrupted && !self.notified;
  self.looks_again = false;
  const bool notified = self.notified || (intent.shared && !self.timed_out && !interrupted);
  self.notified = false;
  disturb_after(self, intent);
  if (notified) return 0;
  if (has_changed) return fail(EAGAIN);
  return fail(interrupted ? EINTR : ETIMEDOUT);
}

// In memory that other processes have too, the kernel alone knows who waits.
long outside(std::uint32_t* word, int operation, std::uint32_t value, const timespec* timeout,
             std::uint32_t* word2, std::uint32_t value3, Caller caller) {
  timespec real{};
  const int command = operation & FUTEX_CMD_MASK;
  if (command == FUTEX_WAIT_BITSET && timeout != nullptr && valid(*timeout)) {
    const clockid_t clock =
        (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
    real = real_deadline(clock, virtual_deadline(clock, *timeout));
    timeout = &real;
  }
  leave_control("futex", caller);
  const long result = in_kernel(word, operation, value, timeout, word2, value3);
  enter_control();
  return result < 0 ? fail(static_cast<int>(-result)) : result;
}

// The kernel takes the number for one with a sign, and looks at it when it has woken one.
std::uint32_t at_least_one(std::uint32_t most) {
  return static_cast<std::int32_t>(most) < 1 ? 1 : most;
}

// Up to `most` waiters whose bit set meets ours, each choice a decision while there are more.
long wake_some(Task& self, const void* word, std::uint32_t most, std::uint32_t bits) {
  long woken = 0;
  while (static_cast<std::uint32_t>(woken) < most) {
    std::size_t count = collect_waiters(word, futex_ready, g_waiters);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if ((g_engine.tasks[g_waiters[i].value].wait_value & bits) != 0)
        g_waiters[kept++] = g_waiters[i];
    }
    if (kept == 0) break;
    const bool all = most - static_cast<std::uint32_t>(woken) >= kept;
    const std::size_t chosen = all ? 0 : g_engine.choose_waiter(self, g_waiters, kept);
    notify(g_waiters[chosen], word, futex_ready);
    ++woken;
  }
  return woken;
}

long requeue(Task& self, std::uint32_t* word, std::uint32_t most, std::uint32_t most_moved,
             std::uint32_t* word2) {
  const long woken = wake_some(self, word, most, FUTEX_BITSET_MATCH_ANY);
  const std::size_t count = collect_waiters(word, futex_ready, g_waiters);
  std::uint32_t moved = 0;
  for (std::size_t i = 0; i < count && moved < most_moved; ++i, ++moved) {
    g_engine.tasks[g_waiters[i].value].wait_object = word2;
  }
  return woken + static_cast<long>(moved);
}

// FUTEX_WAKE_OP's little language. Its numbers have twelve bits, one of them a sign.
std::int32_t with_sign(std::uint32_t bits) {
  return static_cast<std::int32_t>((bits & 0xfff) << 20) >> 20;
}

// Whether to wake who waits at the second word, or -ENOSYS.
int wake_op(std::uint32_t* word2, std::uint32_t code) {
  auto operand = static_cast<std::uint32_t>(with_sign(code >> 12));
  if ((code >> 31) != 0) operand = 1u << (operand & 31);
  const std::uint32_t old = *word2;
  switch ((code >> 28) & 7) {
    case FUTEX_OP_SET:
      *word2 = operand;
      break;
    case FUTEX_OP_ADD:
      *word2 = old + operand;
      break;
    case FUTEX_OP_OR:
      *word2 = old | operand;
      break;
    case FUTEX_OP_ANDN:
      *word2 = old & ~operand;
      break;
    case FUTEX_OP_XOR:
      *word2 = old ^ operand;
      break;
    default:
      return -ENOSYS;
  }
  const std::int32_t with = with_sign(code);
  const auto before = static_cast<std::int32_t>(old);
  switch ((code >> 24) & 0xf) {
    case FUTEX_OP_CMP_EQ:
      return before == with ? 1 : 0;
    case FUTEX_OP_CMP_NE:
      return before != with ? 1 : 0;
    case FUTEX_OP_CMP_LT:
      return before < with ? 1 : 0;
    case FUTEX_OP_CMP_LE:
      return before <= with ? 1 : 0;
    case FUTEX_OP_CMP_GT:
      return before > with ? 1 : 0;
    case FUTEX_OP_CMP_GE:
      return before >= with ? 1 : 0;
    default:
      return -ENOSYS;
  }
}

}  // namespace

long futex(std::uint32_t* word, int operation, std::uint32_t value, const timespec* timeout,
           std::uint32_t* word2, std::uint32_t value3, Caller caller) {
  const auto value2 = static_cast<std::uint32_t>(reinterpret_cast<std::uint64_t>(timeout));
  const int command = operation & FUTEX_CMD_MASK;
  const bool waits = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
  const bool wakes =
      command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET || command == FUTEX_WAKE_OP;
  const bool moves = command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE;
  if (is_futex_lock(command) && is_aligned(word) && is_readable(word, runtime::object_of(word)) &&
      knows_owner(word) && ((operation & FUTEX_PRIVATE_FLAG) != 0 || !others_share(word))) {
    const int error = futex_lock(word, operation, timeout, caller);
    return error == 0 ? 0 : fail(error);
  }
  if (!waits && !wakes && !moves) {
    // The rest of priority inheritance belongs to the kernel.
    return outside(word, operation, value, timeout, word2, value3, caller);
  }
  const bool both = moves || command == FUTEX_WAKE_OP;
  if (!is_aligned(word) || (both && !is_aligned(word2))) return fail(EINVAL);
  const bool negative =
      static_cast<std::int32_t>(value) < 0 || static_cast<std::int32_t>(value2) < 0;
  if ((moves && negative) || (command == FUTEX_WAKE_BITSET && value3 == 0)) return fail(EINVAL);
  const bool shared = (operation & FUTEX_PRIVATE_FLAG) == 0 && others_share(word);
  if (waits) {
    if (shared) return outside(word, operation, value, timeout, word2, value3, caller);
    return wait(word, operation, value, timeout,
                command == FUTEX_WAIT ? FUTEX_BITSET_MATCH_ANY : value3, caller);
  }
  Task& self = current();
  Intent intent{moves ? EventKind::futex_requeue : EventKind::futex_wake, word, caller};
  intent.argument = value;
  g_engine.point(self, intent);
  if (shared) {
    // Who waited here before the memory was shared is in the engine, and sees what the word holds.
    const long woken = in_kernel(word, operation, value, timeout, word2, value3);
    const auto error = static_cast<std::int16_t>(woken < 0 ? -woken : 0);
    g_engine.commit(self, intent, woken < 0 ? 0 : static_cast<std::uint64_t>(woken), error, true);
    return woken < 0 ? fail(error) : woken;
  }
  long result = 0;
  const bool readable = (command != FUTEX_CMP_REQUEUE || is_readable(word, self.pending.object)) &&
                        (command != FUTEX_WAKE_OP || is_readable(word2, runtime::object_of(word2)));
  if (!readable) {
    g_engine.commit(self, intent, 0, EFAULT, false);
    return fail(EFAULT);
  }
  if (command == FUTEX_CMP_REQUEUE && __atomic_load_n(word, __ATOMIC_SEQ_CST) != value3) {
    g_engine.commit(self, intent, 0, EAGAIN, false);
    return fail(EAGAIN);
  }
  if (moves) {
    result = requeue(self, word, value, value2, word2);
  } else {
    const int second = command == FUTEX_WAKE_OP ? wake_op(word2, value3) : 0;
    if (second < 0) {
      g_engine.commit(self, intent, 0, static_cast<std::int16_t>(-second), true);
      return fail(-second);
    }
    result = wake_some(self, word, at_least_one(value),
                       command == FUTEX_WAKE_BITSET ? value3 : FUTEX_BITSET_MATCH_ANY);
    if (second > 0) {
      result += wake_some(self, word2, at_least_one(value2), FUTEX_BITSET_MATCH_ANY);
    }
  }
  g_engine.commit(self, intent, static_cast<std::uint64_t>(result), 0, result > 0);
  return result;
}

}  // namespace heddle::controlled
