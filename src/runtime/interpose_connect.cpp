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

// As if the socket were not blocking, for this call alone: nobody else runs meanwhile.
int try_connect(int socket, const sockaddr* address, socklen_t length) {
  const long flags = raw_syscall(SYS_fcntl, socket, F_GETFL);
  if (flags >= 0) raw_syscall(SYS_fcntl, socket, F_SETFL, flags | O_NONBLOCK);
  const int result = real_connect(socket, address, length);
  const int error = errno;
  if (flags >= 0) raw_syscall(SYS_fcntl, socket, F_SETFL, flags);
  errno = error;
  return result;
}

int connect_inside(const DescriptorUse& use, const sockaddr* address, socklen_t length) {
  const int before = errno;
  const auto call = [&] { return real_connect(use.descriptor, address, length); };
  pthread_testcancel();
  controlled::use_descriptor(use.descriptor, controlled::Transfer::out, use.caller);
  const int result = try_connect(use.descriptor, address, length);
  if (result == 0) {
    errno = before;
    return 0;
  }
  if (errno == EAGAIN) {
    // A local socket whose queue is full does not tell when there is room.
    errno = before;
    return outside(use.call, use.caller, call);
  }
  if (errno != EINPROGRESS && errno != EALREADY) return result;
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
    pthread_testcancel();  // the engine wakes a thread that is cancelled
  }
  errno = before;
  return call();  // does not wait any more: it takes the answer, whatever that is
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
