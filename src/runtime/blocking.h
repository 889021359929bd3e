// Calls that may wait for the world outside the program: descriptors, child processes, signals, file locks.
//
// In a controlled run one thread runs at a time, so a call that waits in the kernel would stop everybody. Three ways out,
// best first: the call is ready and goes straight through; the thread waits inside the engine until its descriptor is
// ready; the thread leaves control for the length of the call. In the free engine each is an event around the real call.
#pragma once

#include <errno.h>
#include <poll.h>
#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"

namespace heddle::runtime {

inline constexpr std::int64_t kForever = -1;
inline constexpr int kFirstOwnDescriptor = 900;  // mode.h: the program's numbering stays its own

// One use of a descriptor by a call of the program.
struct DescriptorUse {
  int descriptor;
  short events;      // POLLIN or POLLOUT: what the call needs
  const char* call;  // for the report on what was not controlled
  void* caller;
  std::size_t size = 0;                // of what is written
  bool non_blocking = false;           // asked for by this very call (MSG_DONTWAIT)
  bool whole = false;                  // waits again until everything is there (MSG_WAITALL)
  bool queue = false;                  // POSIX's of messages, which looks like a plain file
  std::size_t room = ~std::size_t{0};  // for what is read, where that may be too little
};

// As poll says it at this moment. Leaves errno alone.
bool is_ready(int descriptor, short events);
// A pipe, or a socket without messages. May change errno.
bool is_stream(int descriptor);
// By its flags; a call may say so for itself.
bool is_non_blocking(int descriptor);

// SO_RCVTIMEO for POLLIN, SO_SNDTIMEO for POLLOUT: kForever if there is none. May change errno.
std::int64_t socket_timeout(int descriptor, short events);

enum class Readiness { ready, timed_out, interrupted, unknown };

// Returns when the call will not wait (ready), when the socket's own timeout passed, when a handler has ended the wait, or at once when nothing can be said
// and the call has to be made outside control. Preserves errno.
Readiness wait_until_ready(const DescriptorUse& use);

// Waits in the engine until one of the descriptors is ready, the time is up or a handler has ended it; unknown: cannot be
// waited for inside, make the call outside control.
Readiness wait_for_any(const pollfd* descriptors, nfds_t count, std::int64_t timeout_ns,
                       void* caller);

// Time left of a relative timeout on the virtual clock.
class Patience {
 public:
  Patience(std::int64_t timeout_ns, void* caller);
  std::int64_t left() const;  // kForever, or at least 0

 private:
  std::int64_t deadline_;
  void* caller_;
};

// How soon a child of the program's answers is chance. For a little while nobody else runs, so that chance decides nothing.
class ChildPatience {
 public:
  // True after a moment of real time; false if the program has no children, or has waited for them long enough.
  bool more();

 private:
  std::int64_t waited_ns_ = 0;
};

// Makes the call while other threads run. A cancelled thread unwinds from here and regains control at its next entry.
template <class Call>
auto outside(const char* name, void* caller, Call&& call) {
  controlled::leave_control(name, caller);
  const auto result = call();
  const int error = errno;
  controlled::enter_control();
  errno = error;
  return result;
}

// What is written to a pipe, a socket or a counter in the kernel is known to who reads it. Told to detectors before the call
// that writes and after the one that read. Preserves errno.
void show_descriptor_written(const DescriptorUse& use);
void show_descriptor_read(const DescriptorUse& use);
// The other end of a pipe or a connection reads that there will be no more.
void show_descriptor_closed(const DescriptorUse& use);
// The same of a set of descriptors that somebody is about to wait for (epoll_ctl); who waits for it reads the set.
void show_put_into_set(const DescriptorUse& set, int descriptor);
// A descriptor that signals are read from, or no longer.
void note_signal_descriptor(int descriptor, bool takes);
bool takes_signals(int descriptor);

// Other things in the kernel that hand on what was done before.
enum class KernelObject : std::uint8_t {
  semaphore_up,  // of System V: by set and place
  semaphore_down,
  messages,    // a queue of System V's
  signal,      // by its number
  any_signal,  // 0
};
void show_released(KernelObject kind, std::uint64_t number, void* caller);
void show_acquired(KernelObject kind, std::uint64_t number, void* caller);

template <class Call>
auto carry_out_on_descriptor(const DescriptorUse& use, Call&& call) -> decltype(call()) {
  if (under_control()) {
    switch (wait_until_ready(use)) {
      case Readiness::ready:
        return call();
      case Readiness::timed_out:
        errno = EAGAIN;
        return -1;
      case Readiness::interrupted:
        errno = EINTR;
        return -1;
      case Readiness::unknown:
        return outside(use.call, use.caller, call);
    }
  }
  return around(
      {EventKind::blocking_call, nullptr, use.caller, static_cast<std::uint64_t>(use.descriptor)},
      call);
}

template <class Call>
auto on_descriptor(const DescriptorUse& use, Call&& call) -> decltype(call()) {
  if (!g_detecting) return carry_out_on_descriptor(use, call);
  if (use.events == POLLOUT) show_descriptor_written(use);
  const auto result = carry_out_on_descriptor(use, call);
  if (use.events == POLLIN && result >= 0) show_descriptor_read(use);
  return result;
}

// For calls that can be tried first: `attempt` must not wait, and `would_wait` tells from its result (and errno) that the
// real call would.
template <class Attempt, class WouldWait, class Call>
auto try_first(const char* name, void* caller, Attempt&& attempt, WouldWait&& would_wait,
               Call&& call) -> decltype(call()) {
  if (under_control()) {
    const int before = errno;
    controlled::use_kernel(name, caller);
    ChildPatience patience;
    do {
      errno = before;
      const auto result = attempt();
      if (!would_wait(result)) return result;
    } while (patience.more());
    errno = before;
    return outside(name, caller, call);
  }
  return around({EventKind::blocking_call, nullptr, caller}, call);
}

// For calls nothing is known about.
template <class Call>
auto anywhere(const char* name, void* caller, Call&& call) -> decltype(call()) {
  if (under_control()) return outside(name, caller, call);
  return around({EventKind::blocking_call, nullptr, caller}, call);
}

}  // namespace heddle::runtime
