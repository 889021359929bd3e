// connect: the kernel waits in it for an answer that most often comes from this machine, and at once.
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "runtime/blocking.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/thread.h"

using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

namespace {

HEDDLE_REAL Real<int(int, const sockaddr*, socklen_t)> real_connect{"connect"};

// The machine's own answer is on its way already; how long it takes is chance and shall decide nothing.
constexpr int kAnswerMs = 20;

void await_answer(int socket) {
  const InRuntime inside(self());
  pollfd poll{socket, POLLOUT, 0};
  raw_syscall(SYS_poll, as_word(&poll), 1, kAnswerMs);
}

// One call of the program's.
struct Connecting {
  int socket;
  const sockaddr* address;
  socklen_t length;
  long answer;  // of the kernel, the last time it was tried: 0, or a negative error
};

// As if the socket were not blocking, for this call alone: nobody else runs meanwhile. Not libc's, which would act on a
// cancellation of whoever tries on behalf of another.
void try_connect(Connecting& connecting) {
  const long flags = raw_syscall(SYS_fcntl, connecting.socket, F_GETFL);
  if (flags >= 0) raw_syscall(SYS_fcntl, connecting.socket, F_SETFL, flags | O_NONBLOCK);
  connecting.answer = raw_syscall(SYS_connect, connecting.socket, as_word(connecting.address),
                                  static_cast<long>(connecting.length));
  if (flags >= 0) raw_syscall(SYS_fcntl, connecting.socket, F_SETFL, flags);
}

bool try_again(void* what) {
  Connecting& connecting = *static_cast<Connecting*>(what);
  try_connect(connecting);
  return connecting.answer != -EAGAIN;
}

bool is_local(int socket) {
  int domain = 0;
  socklen_t length = sizeof domain;
  return raw_syscall(SYS_getsockopt, socket, SOL_SOCKET, SO_DOMAIN, as_word(&domain),
                     as_word(&length)) == 0 &&
         domain == AF_UNIX;
}

// The queue of a local listener is full, and nothing has begun.
void wait_for_room(const DescriptorUse& use, Connecting& connecting) {
  const controlled::RoomAttempt attempt{try_again, &connecting, connecting.address,
                                        connecting.length};
  const Patience patience{socket_timeout(use.descriptor, POLLOUT), use.caller};
  do {
    const controlled::WaitEnd end =
        controlled::wait_for_room(use.descriptor, attempt, patience.left(), use.caller);
    if (connecting.answer != -EAGAIN) return;           // tried by another thread
    if (end == controlled::WaitEnd::timed_out) return;  // as the kernel says it, too
    controlled::thread_testcancel();  // the engine wakes a thread that is cancelled
    if (end == controlled::WaitEnd::interrupted) {
      connecting.answer = -EINTR;
      return;
    }
  } while (!try_again(&connecting));
}

int finish(long answer, int before) {
  errno = answer == 0 ? before : static_cast<int>(-answer);
  return answer == 0 ? 0 : -1;
}

int connect_inside(const DescriptorUse& use, const sockaddr* address, socklen_t length) {
  const int before = errno;
  controlled::thread_testcancel();
  controlled::use_descriptor(use.descriptor, controlled::Transfer::out, use.caller);
  Connecting connecting{use.descriptor, address, length, 0};
  try_connect(connecting);
  if (connecting.answer == -EAGAIN && is_local(use.descriptor)) {
    for (ChildPatience child; connecting.answer == -EAGAIN && child.more();)
      try_connect(connecting);
    if (connecting.answer == -EAGAIN) wait_for_room(use, connecting);
    return finish(connecting.answer, before);
  }
  if (connecting.answer != -EINPROGRESS && connecting.answer != -EALREADY) {
    return finish(connecting.answer, before);
  }
  const Patience patience{socket_timeout(use.descriptor, POLLOUT), use.caller};
  await_answer(use.descriptor);
  while (!is_ready(use.descriptor, POLLOUT)) {
    const controlled::WaitEnd end = controlled::wait_for_descriptor(
        use.descriptor, POLLOUT, patience.left(), controlled::WaitsFor::one, use.caller);
    if (end != controlled::WaitEnd::ready) {
      // EINPROGRESS is the kernel's word for a SO_SNDTIMEO that has passed.
      errno = end == controlled::WaitEnd::timed_out ? EINPROGRESS : EINTR;
      return -1;
    }
    controlled::thread_testcancel();  // the engine wakes a thread that is cancelled
  }
  errno = before;
  // It does not wait any more: it takes the answer, whatever that is.
  return real_connect(use.descriptor, address, length);
}

}  // namespace

HEDDLE_EXPORT int connect(int socket, const sockaddr* address, socklen_t length) {
  DescriptorUse use{socket, POLLOUT, "connect", HEDDLE_CALLER};
  use.whole = true;  // ready to be written says nothing before the connection exists
  const int before = errno;
  const bool waits = !is_non_blocking(socket);
  errno = before;
  if (waits && under_control()) {
    if (g_detecting) show_descriptor_written(use);
    return connect_inside(use, address, length);
  }
  return on_descriptor(use, [&] { return real_connect(socket, address, length); });
}
