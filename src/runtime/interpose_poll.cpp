// Waiting for several descriptors. With none at all these are sleeps, and are treated as such.
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime/blocking.h"
#include "runtime/controlled/real_time.h"
#include "runtime/entry.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

extern "C" [[noreturn]] void __chk_fail();  // libc's report of an overflowing buffer

namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;

HEDDLE_REAL Real<int(pollfd*, nfds_t, int)> real_poll{"poll"};
HEDDLE_REAL Real<int(pollfd*, nfds_t, const timespec*, const sigset_t*)> real_ppoll{"ppoll"};
HEDDLE_REAL Real<int(int, fd_set*, fd_set*, fd_set*, timeval*)> real_select{"select"};
HEDDLE_REAL Real<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)>
    real_pselect{"pselect"};
HEDDLE_REAL Real<int(int, epoll_event*, int, int)> real_epoll_wait{"epoll_wait"};
HEDDLE_REAL Real<int(int, epoll_event*, int, int, const sigset_t*)> real_epoll_pwait{"epoll_pwait"};
HEDDLE_REAL Real<int(int, epoll_event*, int, const timespec*, const sigset_t*)> real_epoll_pwait2{
    "epoll_pwait2"};
HEDDLE_REAL Real<int(int, int, int, epoll_event*)> real_epoll_ctl{"epoll_ctl"};

std::int64_t from_milliseconds(int timeout) {
  return timeout < 0 ? kForever : timeout * kNanosecondsPerMillisecond;
}
// What the kernel refuses goes to the kernel.
constexpr std::int64_t kRefused = -2;
std::int64_t from(const timespec* timeout) {
  if (timeout == nullptr) return kForever;
  if (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec >= kNanosecondsPerSecond)
    return kRefused;
  return timeout->tv_sec * kNanosecondsPerSecond + timeout->tv_nsec;
}
std::int64_t from(const timeval* timeout) {
  if (timeout == nullptr) return kForever;
  if (timeout->tv_sec < 0 || timeout->tv_usec < 0) return kRefused;
  return timeout->tv_sec * kNanosecondsPerSecond + timeout->tv_usec * std::int64_t{1000};
}

// How long a call may wait. select tells the program what was left of it.
struct Timeout {
  std::int64_t ns;
  timeval* left = nullptr;

  void tell(const Patience& patience) const {
    if (left == nullptr) return;
    const std::int64_t left_ns = patience.left();
    left->tv_sec = left_ns / kNanosecondsPerSecond;
    left->tv_usec = left_ns % kNanosecondsPerSecond / 1000;
  }
};

// What all of them have in common once they are under control. `look` is the call without waiting, `wait` waits for at
// most so many nanoseconds inside the engine and says how that ended, `leave` is the call as the program made it.
template <class Look, class Wait, class Leave>
int look_and_wait(const Timeout& timeout, void* caller, Look&& look, Wait&& wait, Leave&& leave) {
  int found = look();
  for (ChildPatience child; found == 0 && timeout.ns != 0 && child.more();) found = look();
  if (found != 0) return found;
  if (timeout.ns == 0) {
    controlled::yield(caller);  // a program that polls in a loop waits for somebody
    found = look();
    if (found == 0) controlled::note_asked_in_vain();
    return found;
  }
  const Patience patience{timeout.ns, caller};
  std::int64_t left = timeout.ns;
  while (left != 0) {
    const Readiness end = wait(left);
    if (end == Readiness::unknown) return leave();
    found = look();
    if (found != 0 || end == Readiness::interrupted) {
      timeout.tell(patience);
      if (found != 0) return found;
      errno = EINTR;
      return -1;
    }
    left = patience.left();
  }
  timeout.tell(patience);
  return 0;
}

Readiness sleep_for(std::int64_t nanoseconds, void* caller) {
  if (nanoseconds < 0) {
    entry::pause(caller);
    return Readiness::interrupted;
  }
  const timespec request{nanoseconds / kNanosecondsPerSecond, nanoseconds % kNanosecondsPerSecond};
  const int error = entry::sleep(CLOCK_MONOTONIC, 0, &request, nullptr, caller);
  if (error == EINTR) return Readiness::interrupted;
  return error == 0 ? Readiness::timed_out : Readiness::unknown;
}

// Who learns that there is something to read knows what was done before it was written.
void show_readable(const pollfd* descriptors, nfds_t count, int found, void* caller) {
  constexpr int kNotRead = POLLOUT | POLLWRNORM | POLLWRBAND | POLLNVAL;
  if (!g_detecting || found <= 0) return;
  for (nfds_t i = 0; i < count; ++i) {
    if ((descriptors[i].revents & ~kNotRead) == 0) continue;
    show_descriptor_read({descriptors[i].fd, POLLIN, "poll", caller});
  }
}

bool has_descriptor(const pollfd* descriptors, nfds_t count) {
  for (nfds_t i = 0; i < count; ++i)
    if (descriptors[i].fd >= 0) return true;
  return false;
}

template <class Leave>
int controlled_poll(pollfd* descriptors, nfds_t count, std::int64_t timeout_ns, const char* call,
                    void* caller, Leave&& leave) {
  const auto look = [&] { return real_poll(descriptors, count, 0); };
  const auto wait = [&](std::int64_t left) {
    if (has_descriptor(descriptors, count)) return wait_for_any(descriptors, count, left, caller);
    return sleep_for(left, caller);
  };
  return look_and_wait({timeout_ns}, caller, look, wait,
                       [&] { return outside(call, caller, leave); });
}

int poll_entry(pollfd* descriptors, nfds_t count, int timeout, void* caller) {
  const auto call = [&] { return real_poll(descriptors, count, timeout); };
  const int found =
      under_control()
          ? controlled_poll(descriptors, count, from_milliseconds(timeout), "poll", caller, call)
          : around({EventKind::blocking_call, nullptr, caller}, call);
  show_readable(descriptors, count, found, caller);
  return found;
}

int wait_with_mask(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask,
                   void* caller) {
  const auto call = [&] { return real_ppoll(descriptors, count, timeout, mask); };
  if (from(timeout) != kRefused && under_control()) {
    // A mask makes it a wait for signals too, which come from outside.
    if (mask != nullptr && real_poll(descriptors, count, 0) == 0)
      return outside("ppoll", caller, call);
    return controlled_poll(descriptors, count, from(timeout), "ppoll", caller, call);
  }
  return around({EventKind::blocking_call, nullptr, caller}, call);
}

int ppoll_entry(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask,
                void* caller) {
  const int found = wait_with_mask(descriptors, count, timeout, mask, caller);
  show_readable(descriptors, count, found, caller);
  return found;
}

// select's three sets as it got them, because every look overwrites them.
class Sets {
 public:
  Sets(int count, fd_set* read, fd_set* write, fd_set* except)
      : count_(count), program_{read, write, except} {
    for (int i = 0; i < 3; ++i)
      if (program_[i] != nullptr) kept_[i] = *program_[i];
  }
  int look() {
    for (int i = 0; i < 3; ++i)
      if (program_[i] != nullptr) *program_[i] = kept_[i];
    timeval none{};
    return real_select(count_, program_[0], program_[1], program_[2], &none);
  }
  void restore() {
    for (int i = 0; i < 3; ++i)
      if (program_[i] != nullptr) *program_[i] = kept_[i];
  }
  Readiness wait(std::int64_t left, void* caller) {
    pollfd descriptors[FD_SETSIZE];
    nfds_t used = 0;
    for (int descriptor = 0; descriptor < count_; ++descriptor) {
      const short events = static_cast<short>((has(0, descriptor) ? POLLIN : 0) |
                                              (has(1, descriptor) ? POLLOUT : 0) |
                                              (has(2, descriptor) ? POLLPRI : 0));
      if (events != 0) descriptors[used++] = {descriptor, events, 0};
    }
    if (used != 0) return wait_for_any(descriptors, used, left, caller);
    return sleep_for(left, caller);
  }

 private:
  bool has(int set, int descriptor) const {
    return program_[set] != nullptr && FD_ISSET(descriptor, &kept_[set]);
  }

  int count_;
  fd_set* program_[3];
  fd_set kept_[3];
};

template <class Call>
int wait_for_sets(int count, fd_set* read, fd_set* write, fd_set* except, const Timeout& timeout,
                  bool masked, const char* name, void* caller, Call&& call) {
  if (timeout.ns == kRefused || !under_control()) {
    return around({EventKind::blocking_call, nullptr, caller}, call);
  }
  if (count < 0 || count > FD_SETSIZE) return outside(name, caller, call);
  Sets sets{count, read, write, except};
  const auto leave = [&] {
    sets.restore();
    return outside(name, caller, call);
  };
  if (masked) {
    const int found = sets.look();
    return found != 0 ? found : leave();
  }
  return look_and_wait(
      timeout, caller, [&] { return sets.look(); },
      [&](std::int64_t left) { return sets.wait(left, caller); }, leave);
}

template <class Call>
int select_entry(int count, fd_set* read, fd_set* write, fd_set* except, const Timeout& timeout,
                 bool masked, const char* name, void* caller, Call&& call) {
  const int found = wait_for_sets(count, read, write, except, timeout, masked, name, caller, call);
  if (!g_detecting || found <= 0) return found;
  for (int descriptor = 0; descriptor < count && descriptor < FD_SETSIZE; ++descriptor) {
    if ((read != nullptr && FD_ISSET(descriptor, read)) ||
        (except != nullptr && FD_ISSET(descriptor, except))) {
      show_descriptor_read({descriptor, POLLIN, name, caller});
    }
  }
  return found;
}

template <class Call>
int wait_for_set(int set, epoll_event* events, int room, std::int64_t timeout_ns, bool masked,
                 const char* name, void* caller, Call&& call) {
  if (timeout_ns == kRefused || !under_control())
    return around({EventKind::blocking_call, nullptr, caller, static_cast<std::uint64_t>(set)},
                  call);
  const auto look = [&] { return real_epoll_wait(set, events, room, 0); };
  const auto leave = [&] { return outside(name, caller, call); };
  if (masked) {
    const int found = look();
    return found != 0 ? found : leave();
  }
  const pollfd only{set, POLLIN, 0};
  return look_and_wait(
      {timeout_ns}, caller, look,
      [&](std::int64_t left) { return wait_for_any(&only, 1, left, caller); }, leave);
}

template <class Call>
int epoll_entry(int set, epoll_event* events, int room, std::int64_t timeout_ns, bool masked,
                const char* name, void* caller, Call&& call) {
  const int found = wait_for_set(set, events, room, timeout_ns, masked, name, caller, call);
  if (g_detecting && found > 0) show_descriptor_read({set, POLLIN, name, caller});
  return found;
}

}  // namespace

HEDDLE_EXPORT int poll(pollfd* descriptors, nfds_t count, int timeout) {
  return poll_entry(descriptors, count, timeout, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __poll(pollfd* descriptors, nfds_t count, int timeout) {
  return poll_entry(descriptors, count, timeout, HEDDLE_CALLER);
}
HEDDLE_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout,
                        const sigset_t* mask) {
  return ppoll_entry(descriptors, count, timeout, mask, HEDDLE_CALLER);
}

HEDDLE_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* timeout) {
  return select_entry(count, read, write, except, {from(timeout), timeout}, false, "select",
                      HEDDLE_CALLER,
                      [&] { return real_select(count, read, write, except, timeout); });
}
HEDDLE_EXPORT int __select(int count, fd_set* read, fd_set* write, fd_set* except,
                           timeval* timeout) {
  return select_entry(count, read, write, except, {from(timeout), timeout}, false, "select",
                      HEDDLE_CALLER,
                      [&] { return real_select(count, read, write, except, timeout); });
}
HEDDLE_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* except,
                          const timespec* timeout, const sigset_t* mask) {
  return select_entry(count, read, write, except, {from(timeout)}, mask != nullptr, "pselect",
                      HEDDLE_CALLER,
                      [&] { return real_pselect(count, read, write, except, timeout, mask); });
}

HEDDLE_EXPORT int epoll_wait(int set, epoll_event* events, int room, int timeout) {
  return epoll_entry(set, events, room, from_milliseconds(timeout), false, "epoll_wait",
                     HEDDLE_CALLER, [&] { return real_epoll_wait(set, events, room, timeout); });
}
HEDDLE_EXPORT int epoll_pwait(int set, epoll_event* events, int room, int timeout,
                              const sigset_t* mask) {
  return epoll_entry(set, events, room, from_milliseconds(timeout), mask != nullptr, "epoll_pwait",
                     HEDDLE_CALLER,
                     [&] { return real_epoll_pwait(set, events, room, timeout, mask); });
}
HEDDLE_EXPORT int epoll_pwait2(int set, epoll_event* events, int room, const timespec* timeout,
                               const sigset_t* mask) {
  return epoll_entry(set, events, room, from(timeout), mask != nullptr, "epoll_pwait2",
                     HEDDLE_CALLER,
                     [&] { return real_epoll_pwait2(set, events, room, timeout, mask); });
}

HEDDLE_EXPORT int epoll_ctl(int set, int operation, int descriptor, epoll_event* event) noexcept {
  if (g_detecting && operation != EPOLL_CTL_DEL) {
    show_put_into_set({set, POLLIN, "epoll_ctl", HEDDLE_CALLER}, descriptor);
  }
  return real_epoll_ctl(set, operation, descriptor, event);
}

// What -D_FORTIFY_SOURCE makes of poll: the room is checked, then it is poll.
HEDDLE_EXPORT int __poll_chk(pollfd* descriptors, nfds_t count, int timeout, std::size_t room) {
  if (room / sizeof(pollfd) < count) __chk_fail();
  return poll_entry(descriptors, count, timeout, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* timeout,
                              const sigset_t* mask, std::size_t room) {
  if (room / sizeof(pollfd) < count) __chk_fail();
  return ppoll_entry(descriptors, count, timeout, mask, HEDDLE_CALLER);
}
