#include "runtime/datagram_room.h"

#include <errno.h>
#include <sys/syscall.h>

#include "runtime/controlled/world_waits.h"
#include "runtime/platform/syscall.h"

namespace heddle::runtime {

namespace {

// One call of the program's.
struct Sending {
  int socket;
  const msghdr* message;
  int flags;
  long answer;  // of the kernel, the last time it was tried: a size, or a negative error
};

// Not libc's, which would act on a cancellation of whoever tries on behalf of another.
bool try_to_send(void* what) {
  Sending& sending = *static_cast<Sending*>(what);
  sending.answer = raw_syscall(SYS_sendmsg, sending.socket, as_word(sending.message),
                               sending.flags | MSG_DONTWAIT);
  return sending.answer != -EAGAIN;
}

bool has_option(int socket, int option, int value) {
  int is = 0;
  socklen_t length = sizeof is;
  return raw_syscall(SYS_getsockopt, socket, SOL_SOCKET, option, as_word(&is), as_word(&length)) ==
             0 &&
         is == value;
}

void wait_for_room(const DescriptorUse& use, Sending& sending) {
  const controlled::RoomAttempt attempt{try_to_send, &sending,
                                        static_cast<const sockaddr*>(sending.message->msg_name),
                                        sending.message->msg_namelen};
  const Patience patience{socket_timeout(use.descriptor, POLLOUT), use.caller};
  do {
    const controlled::WaitEnd end =
        controlled::wait_for_room(use.descriptor, attempt, patience.left(), use.caller);
    if (sending.answer != -EAGAIN) return;              // tried by another thread
    if (end == controlled::WaitEnd::timed_out) return;  // as the kernel says it, too
    controlled::thread_testcancel();  // the engine wakes a thread that is cancelled
    if (end == controlled::WaitEnd::interrupted) {
      sending.answer = -EINTR;
      return;
    }
  } while (!try_to_send(&sending));
}

}  // namespace

bool may_wait_for_receiver(int socket, const sockaddr* address, int flags) {
  if (address == nullptr || (flags & MSG_DONTWAIT) != 0 || !under_control()) return false;
  const int before = errno;
  const bool so = has_option(socket, SO_DOMAIN, AF_UNIX) &&
                  has_option(socket, SO_TYPE, SOCK_DGRAM) && !is_non_blocking(socket);
  errno = before;
  return so;
}

ssize_t send_to_receiver(const DescriptorUse& use, const msghdr& message, int flags) {
  Sending sending{use.descriptor, &message, flags, -EAGAIN};
  return on_descriptor(use, [&]() -> ssize_t {
    const int before = errno;
    for (ChildPatience child; !try_to_send(&sending) && child.more();) continue;
    if (sending.answer == -EAGAIN) wait_for_room(use, sending);
    errno = sending.answer < 0 ? static_cast<int>(-sending.answer) : before;
    return sending.answer < 0 ? -1 : sending.answer;
  });
}

void note_received() {
  if (controlled::g_world_waits.rooms != 0) controlled::note_room();
}

}  // namespace heddle::runtime
