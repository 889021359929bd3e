// Messages and semaphores of the kernel's. Who gets a message, or passes a semaphore, knows what was done before that was sent
// or counted.
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/hash.h"
#include "runtime/blocking.h"
#include "runtime/controlled/clock.h"
#include "runtime/leaving.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using namespace heddle::runtime;  // NOLINT: thin entry points

namespace {

HEDDLE_REAL Real<int(int, sembuf*, std::size_t, const timespec*)> real_semtimedop{"semtimedop"};
HEDDLE_REAL Real<ssize_t(int, void*, std::size_t, long, int)> real_msgrcv{"msgrcv"};
HEDDLE_REAL Real<int(int, const void*, std::size_t, int)> real_msgsnd{"msgsnd"};
HEDDLE_REAL Real<ssize_t(mqd_t, char*, std::size_t, unsigned*)> real_mq_receive{"mq_receive"};
HEDDLE_REAL Real<ssize_t(mqd_t, char*, std::size_t, unsigned*, const timespec*)>
    real_mq_timedreceive{"mq_timedreceive"};
HEDDLE_REAL Real<int(mqd_t, const char*, std::size_t, unsigned)> real_mq_send{"mq_send"};
HEDDLE_REAL Real<int(mqd_t, const char*, std::size_t, unsigned, const timespec*)> real_mq_timedsend{
    "mq_timedsend"};

// The kernel takes no more at once (SEMOPM); what does not fit here waits outside control.
constexpr std::size_t kOperations = 64;

std::uint64_t semaphore_number(int set, const sembuf& operation) {
  return heddle::combine(static_cast<std::uint64_t>(set), operation.sem_num);
}

// Counting up lets those go on that count down; counting down, those that wait for zero.
void show_counted(int set, const sembuf* operations, std::size_t count, void* caller) {
  for (std::size_t i = 0; i < count; ++i) {
    if (operations[i].sem_op == 0) continue;
    const bool up = operations[i].sem_op > 0;
    show_released(up ? KernelObject::semaphore_up : KernelObject::semaphore_down,
                  semaphore_number(set, operations[i]), caller);
  }
}
void show_passed(int set, const sembuf* operations, std::size_t count, void* caller) {
  for (std::size_t i = 0; i < count; ++i) {
    if (operations[i].sem_op > 0) continue;
    const bool counts = operations[i].sem_op < 0;
    show_acquired(counts ? KernelObject::semaphore_up : KernelObject::semaphore_down,
                  semaphore_number(set, operations[i]), caller);
  }
}

bool says_not_now(int result) { return result < 0 && errno == EAGAIN; }

template <class Attempt>
int wait_in_engine(const heddle::controlled::SemaphoreWait& wait, const timespec* timeout,
                   void* caller, Attempt&& attempt) {
  using heddle::controlled::Transfer;
  using heddle::controlled::WaitEnd;
  const int before = errno;
  const sembuf& first = wait.operations[0];
  heddle::controlled::use_semaphores(wait.set, first.sem_num,
                                     first.sem_op > 0 ? Transfer::out : Transfer::in, caller);
  // As good as for ever, and small enough to be added to.
  constexpr std::uint64_t kLongest = std::uint64_t{1} << 61;
  const std::int64_t length = timeout == nullptr
                                  ? kForever
                                  : static_cast<std::int64_t>(std::min(
                                        heddle::controlled::as_nanoseconds(*timeout), kLongest));
  const Patience patience{length, caller};
  for (bool waited = false;; waited = true) {
    errno = before;
    const int result = attempt();
    if (waited && result < 0 && errno == EINVAL) errno = EIDRM;  // the set went meanwhile
    if (!says_not_now(result)) return result;
    const WaitEnd end = heddle::controlled::wait_for_semaphores(wait, patience.left(), caller);
    if (end == WaitEnd::ready) continue;
    errno = end == WaitEnd::timed_out ? EAGAIN : EINTR;
    return -1;
  }
}

int operate(int set, sembuf* operations, std::size_t count, const timespec* timeout,
            const char* name, void* caller) {
  const auto call = [&] { return real_semtimedop(set, operations, count, timeout); };
  std::size_t patient = 0;
  for (std::size_t i = 0; i < count && count <= kOperations; ++i) {
    patient += (operations[i].sem_flg & IPC_NOWAIT) == 0 ? 1 : 0;
  }
  // Where some may wait and others may not, only the kernel knows which of them it is that cannot be done.
  if (count > kOperations || (patient != 0 && patient != count)) {
    return anywhere(name, caller, call);
  }
  sembuf at_once[kOperations];
  for (std::size_t i = 0; i < count; ++i) {
    at_once[i] = operations[i];
    at_once[i].sem_flg = static_cast<short>(at_once[i].sem_flg | IPC_NOWAIT);
  }
  const auto attempt = [&] { return real_semtimedop(set, at_once, count, nullptr); };
  if (under_control() && patient != 0 && heddle::controlled::only_ours(set) &&
      (timeout == nullptr || (timeout->tv_sec >= 0 && heddle::controlled::valid(*timeout)))) {
    return wait_in_engine({set, at_once, count}, timeout, caller, attempt);
  }
  return try_first(
      name, caller, attempt, [&](int result) { return patient != 0 && says_not_now(result); },
      call);
}

int semaphore_entry(int set, sembuf* operations, std::size_t count, const timespec* timeout,
                    const char* name, void* caller) {
  for (std::size_t i = 0; i < count; ++i) {
    if ((operations[i].sem_flg & SEM_UNDO) != 0) leave_something_to_undo();
  }
  if (g_detecting) show_counted(set, operations, count, caller);
  const int result = operate(set, operations, count, timeout, name, caller);
  if (g_detecting && result == 0) show_passed(set, operations, count, caller);
  return result;
}

DescriptorUse of_queue(mqd_t queue, short events, const char* call, void* caller) {
  DescriptorUse use{queue, events, call, caller};
  use.queue = true;
  return use;
}

}  // namespace

HEDDLE_EXPORT int semop(int set, sembuf* operations, std::size_t count) noexcept {
  return semaphore_entry(set, operations, count, nullptr, "semop", HEDDLE_CALLER);
}
HEDDLE_EXPORT int semtimedop(int set, sembuf* operations, std::size_t count,
                             const timespec* timeout) noexcept {
  return semaphore_entry(set, operations, count, timeout, "semtimedop", HEDDLE_CALLER);
}

HEDDLE_EXPORT ssize_t msgrcv(int queue, void* message, std::size_t size, long type, int flags) {
  const ssize_t result = try_first(
      "msgrcv", HEDDLE_CALLER,
      [&] { return real_msgrcv(queue, message, size, type, flags | IPC_NOWAIT); },
      [&](ssize_t got) { return got < 0 && errno == ENOMSG && (flags & IPC_NOWAIT) == 0; },
      [&] { return real_msgrcv(queue, message, size, type, flags); });
  if (result >= 0) {
    show_acquired(KernelObject::messages, static_cast<std::uint64_t>(queue), HEDDLE_CALLER);
  }
  return result;
}
HEDDLE_EXPORT int msgsnd(int queue, const void* message, std::size_t size, int flags) {
  show_released(KernelObject::messages, static_cast<std::uint64_t>(queue), HEDDLE_CALLER);
  return try_first(
      "msgsnd", HEDDLE_CALLER,
      [&] { return real_msgsnd(queue, message, size, flags | IPC_NOWAIT); },
      [&](int result) { return (flags & IPC_NOWAIT) == 0 && says_not_now(result); },
      [&] { return real_msgsnd(queue, message, size, flags); });
}
// A POSIX message queue is a descriptor on Linux. A deadline on it is measured by the kernel's clock, so the timed forms
// wait outside control unless they are ready.
HEDDLE_EXPORT ssize_t mq_receive(mqd_t queue, char* message, std::size_t size, unsigned* priority) {
  return on_descriptor(of_queue(queue, POLLIN, "mq_receive", HEDDLE_CALLER),
                       [&] { return real_mq_receive(queue, message, size, priority); });
}
HEDDLE_EXPORT int mq_send(mqd_t queue, const char* message, std::size_t size, unsigned priority) {
  return on_descriptor(of_queue(queue, POLLOUT, "mq_send", HEDDLE_CALLER),
                       [&] { return real_mq_send(queue, message, size, priority); });
}
HEDDLE_EXPORT ssize_t mq_timedreceive(mqd_t queue, char* message, std::size_t size,
                                      unsigned* priority, const timespec* deadline) {
  const TamperedTime time = TamperedTime::honest(CLOCK_REALTIME, deadline);
  const auto call = [&] {
    return real_mq_timedreceive(queue, message, size, priority, time.get());
  };
  const timespec past{};
  const ssize_t result = try_first(
      "mq_timedreceive", HEDDLE_CALLER,
      [&] { return real_mq_timedreceive(queue, message, size, priority, &past); },
      [&](ssize_t got) { return got < 0 && errno == ETIMEDOUT; }, call);
  if (g_detecting && result >= 0) {
    show_descriptor_read(of_queue(queue, POLLIN, "mq_timedreceive", HEDDLE_CALLER));
  }
  return result;
}
HEDDLE_EXPORT int mq_timedsend(mqd_t queue, const char* message, std::size_t size,
                               unsigned priority, const timespec* deadline) {
  const TamperedTime time = TamperedTime::honest(CLOCK_REALTIME, deadline);
  const auto call = [&] { return real_mq_timedsend(queue, message, size, priority, time.get()); };
  const timespec past{};
  if (g_detecting) {
    show_descriptor_written(of_queue(queue, POLLOUT, "mq_timedsend", HEDDLE_CALLER));
  }
  return try_first(
      "mq_timedsend", HEDDLE_CALLER,
      [&] { return real_mq_timedsend(queue, message, size, priority, &past); },
      [&](int result) { return result < 0 && errno == ETIMEDOUT; }, call);
}
