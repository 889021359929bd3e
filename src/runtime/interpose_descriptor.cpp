// Reading and writing descriptors. Plain files are always ready and go straight through.
#include <errno.h>
#include <limits.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/blocking.h"
#include "runtime/controlled/timer_descriptors.h"
#include "runtime/datagram_room.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/random_bytes.h"

using namespace heddle::runtime;  // NOLINT: thin entry points

namespace {

HEDDLE_REAL Real<ssize_t(int, void*, std::size_t)> real_read{"read"};
HEDDLE_REAL Real<ssize_t(int, const void*, std::size_t)> real_write{"write"};
HEDDLE_REAL Real<ssize_t(int, const iovec*, int)> real_readv{"readv"};
HEDDLE_REAL Real<ssize_t(int, const iovec*, int)> real_writev{"writev"};
HEDDLE_REAL Real<ssize_t(int, void*, std::size_t, off_t)> real_pread{"pread"};
HEDDLE_REAL Real<ssize_t(int, const void*, std::size_t, off_t)> real_pwrite{"pwrite"};
HEDDLE_REAL Real<ssize_t(int, const iovec*, int, off_t)> real_preadv{"preadv"};
HEDDLE_REAL Real<ssize_t(int, const iovec*, int, off_t)> real_pwritev{"pwritev"};
HEDDLE_REAL Real<int(int, off_t)> real_ftruncate{"ftruncate"};
HEDDLE_REAL Real<int(int)> real_fsync{"fsync"};
HEDDLE_REAL Real<int(int)> real_fdatasync{"fdatasync"};
HEDDLE_REAL Real<ssize_t(int, void*, std::size_t, int)> real_recv{"recv"};
HEDDLE_REAL Real<ssize_t(int, void*, std::size_t, int, sockaddr*, socklen_t*)> real_recvfrom{
    "recvfrom"};
HEDDLE_REAL Real<ssize_t(int, msghdr*, int)> real_recvmsg{"recvmsg"};
HEDDLE_REAL Real<int(int, mmsghdr*, unsigned, int, timespec*)> real_recvmmsg{"recvmmsg"};
HEDDLE_REAL Real<ssize_t(int, const void*, std::size_t, int)> real_send{"send"};
HEDDLE_REAL Real<ssize_t(int, const void*, std::size_t, int, const sockaddr*, socklen_t)>
    real_sendto{"sendto"};
HEDDLE_REAL Real<ssize_t(int, const msghdr*, int)> real_sendmsg{"sendmsg"};
HEDDLE_REAL Real<int(int, mmsghdr*, unsigned, int)> real_sendmmsg{"sendmmsg"};
HEDDLE_REAL Real<int(int, sockaddr*, socklen_t*)> real_accept{"accept"};
HEDDLE_REAL Real<int(int, sockaddr*, socklen_t*, int)> real_accept4{"accept4"};
HEDDLE_REAL Real<int(int)> real_close{"close"};
HEDDLE_REAL Real<int(int, int)> real_shutdown{"shutdown"};
HEDDLE_REAL Real<int(int, const sigset_t*, int)> real_signalfd{"signalfd"};
HEDDLE_REAL Real<ssize_t(int, void*, std::size_t, std::size_t)> real_read_chk{"__read_chk"};
HEDDLE_REAL Real<ssize_t(int, void*, std::size_t, std::size_t, int)> real_recv_chk{"__recv_chk"};
HEDDLE_REAL Real<ssize_t(int, void*, std::size_t, std::size_t, int, sockaddr*, socklen_t*)>
    real_recvfrom_chk{"__recvfrom_chk"};

// What is asked for beside the stream of data is there or not: nobody waits for it.
DescriptorUse reading(int descriptor, const char* call, void* caller, int flags = 0) {
  constexpr int kAtOnce = MSG_DONTWAIT | MSG_OOB | MSG_ERRQUEUE;
  const int before = errno;
  const bool whole = (flags & MSG_WAITALL) != 0 && is_stream(descriptor);
  errno = before;
  return {descriptor, POLLIN, call, caller, 0, (flags & kAtOnce) != 0, whole};
}
DescriptorUse reading_into(std::size_t room, int descriptor, const char* call, void* caller) {
  DescriptorUse use = reading(descriptor, call, caller);
  use.room = room;
  return use;
}
DescriptorUse writing(int descriptor, const char* call, void* caller, std::size_t size,
                      int flags = 0) {
  return {descriptor, POLLOUT, call, caller, size, (flags & MSG_DONTWAIT) != 0};
}

std::size_t total(const iovec* parts, std::size_t count) {
  std::size_t sum = 0;
  for (std::size_t i = 0; parts != nullptr && i < count; ++i) sum += parts[i].iov_len;
  return sum;
}

// Whoever has a copy of a descriptor may act on it.
void see_passed_descriptors(const msghdr* message) {
  if (!under_control() || message == nullptr || message->msg_control == nullptr) return;
  for (const cmsghdr* part = CMSG_FIRSTHDR(message); part != nullptr;
       part = CMSG_NXTHDR(const_cast<msghdr*>(message), const_cast<cmsghdr*>(part))) {
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SCM_RIGHTS) {
      heddle::controlled::note_passed_descriptor();
    }
  }
}

// A call that the kernel would wait in halfway, made in pieces that it does not wait in. Others may come between as they may
// without us. `move` is given what is done already and the size of the next piece.
template <class Move>
ssize_t in_pieces(const DescriptorUse& use, std::size_t size, std::size_t largest, Move&& move) {
  std::size_t done = 0;
  while (done < size) {
    const std::size_t piece = size - done < largest ? size - done : largest;
    const ssize_t moved = on_descriptor(use, [&] { return move(done, piece); });
    if (moved <= 0) return done > 0 ? static_cast<ssize_t>(done) : moved;
    done += static_cast<std::size_t>(moved);
  }
  return static_cast<ssize_t>(done);
}

bool goes_in_pieces(int descriptor, std::size_t size) {
  const int before = errno;
  const bool so =
      under_control() && size > PIPE_BUF && is_stream(descriptor) && !is_non_blocking(descriptor);
  errno = before;
  return so;
}

// MSG_WAITALL: waits until all is there.
bool comes_in_pieces(int socket, int flags) {
  constexpr int kNotSo = MSG_PEEK | MSG_DONTWAIT | MSG_OOB | MSG_ERRQUEUE | MSG_TRUNC;
  const int before = errno;
  const bool so = under_control() && (flags & MSG_WAITALL) != 0 && (flags & kNotSo) == 0 &&
                  is_stream(socket) && !is_non_blocking(socket);
  errno = before;
  return so;
}

// Whoever waits to get into the receiver's queue may, too.
template <class Size>
Size received(Size size) {
  if (size >= 0 && under_control()) note_received();
  return size;
}

ssize_t do_recv(int socket, void* buffer, std::size_t size, int flags, void* caller) {
  if (comes_in_pieces(socket, flags)) {
    const int rest = flags & ~MSG_WAITALL;
    return in_pieces(reading(socket, "recv", caller, rest), size, size,
                     [&](std::size_t done, std::size_t piece) {
                       return real_recv(socket, static_cast<char*>(buffer) + done, piece, rest);
                     });
  }
  return received(on_descriptor(reading(socket, "recv", caller, flags),
                                [&] { return real_recv(socket, buffer, size, flags); }));
}

ssize_t do_read(int descriptor, void* buffer, std::size_t size, void* caller) {
  const ssize_t got = received(on_descriptor(reading_into(size, descriptor, "read", caller),
                                             [&] { return real_read(descriptor, buffer, size); }));
  if (got > 0) pin_if_random(descriptor, buffer, static_cast<std::size_t>(got));
  return got;
}

// A timer of the program's, for which an event counter stands: nobody writes to those.
bool is_only_read(int descriptor) {
  if (!under_control() || !heddle::controlled::is_timer_descriptor(descriptor)) return false;
  errno = EINVAL;
  return true;
}

ssize_t do_write(int descriptor, const void* buffer, std::size_t size, void* caller) {
  if (is_only_read(descriptor)) return -1;
  if (goes_in_pieces(descriptor, size)) {
    return in_pieces(writing(descriptor, "write", caller, PIPE_BUF), size, PIPE_BUF,
                     [&](std::size_t done, std::size_t piece) {
                       return real_write(descriptor, static_cast<const char*>(buffer) + done,
                                         piece);
                     });
  }
  return on_descriptor(writing(descriptor, "write", caller, size),
                       [&] { return real_write(descriptor, buffer, size); });
}

// What has places is there at once. Who looks, or changes it, first may matter.
template <class Call>
auto on_file(int descriptor, heddle::controlled::Transfer transfer, void* caller, Call&& call)
    -> decltype(call()) {
  if (!under_control()) {
    return around({heddle::EventKind::blocking_call, nullptr, caller}, call);
  }
  heddle::controlled::use_descriptor(descriptor, transfer, caller);
  return call();
}

int do_close(int descriptor, void* caller) {
  if (g_detecting) show_descriptor_closed({descriptor, POLLOUT, "close", caller});
  const int result = real_close(descriptor);
  if (under_control()) heddle::controlled::note_room();
  return result;
}

// Whoever waits to get into the listener's queue may.
int taken(int connection) {
  if (connection >= 0 && under_control()) heddle::controlled::note_room();
  return connection;
}

}  // namespace

HEDDLE_EXPORT ssize_t read(int descriptor, void* buffer, std::size_t size) {
  return do_read(descriptor, buffer, size, HEDDLE_CALLER);
}
HEDDLE_EXPORT ssize_t __read(int descriptor, void* buffer, std::size_t size) {
  return do_read(descriptor, buffer, size, HEDDLE_CALLER);
}
HEDDLE_EXPORT ssize_t write(int descriptor, const void* buffer, std::size_t size) {
  return do_write(descriptor, buffer, size, HEDDLE_CALLER);
}
HEDDLE_EXPORT ssize_t __write(int descriptor, const void* buffer, std::size_t size) {
  return do_write(descriptor, buffer, size, HEDDLE_CALLER);
}
HEDDLE_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  const std::size_t size = total(parts, count < 0 ? 0 : static_cast<std::size_t>(count));
  return on_descriptor(reading_into(size, descriptor, "readv", HEDDLE_CALLER),
                       [&] { return real_readv(descriptor, parts, count); });
}
HEDDLE_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (is_only_read(descriptor)) return -1;
  const std::size_t size = total(parts, count < 0 ? 0 : static_cast<std::size_t>(count));
  return on_descriptor(writing(descriptor, "writev", HEDDLE_CALLER, size),
                       [&] { return real_writev(descriptor, parts, count); });
}
HEDDLE_EXPORT ssize_t pread(int file, void* buffer, std::size_t size, off_t place) {
  return on_file(file, heddle::controlled::Transfer::in, HEDDLE_CALLER,
                 [&] { return real_pread(file, buffer, size, place); });
}
HEDDLE_EXPORT ssize_t pread64(int file, void* buffer, std::size_t size, off_t place) {
  return on_file(file, heddle::controlled::Transfer::in, HEDDLE_CALLER,
                 [&] { return real_pread(file, buffer, size, place); });
}
HEDDLE_EXPORT ssize_t preadv(int file, const iovec* parts, int count, off_t place) {
  return on_file(file, heddle::controlled::Transfer::in, HEDDLE_CALLER,
                 [&] { return real_preadv(file, parts, count, place); });
}
HEDDLE_EXPORT ssize_t preadv64(int file, const iovec* parts, int count, off_t place) {
  return on_file(file, heddle::controlled::Transfer::in, HEDDLE_CALLER,
                 [&] { return real_preadv(file, parts, count, place); });
}
HEDDLE_EXPORT ssize_t pwrite(int file, const void* buffer, std::size_t size, off_t place) {
  return on_file(file, heddle::controlled::Transfer::out, HEDDLE_CALLER,
                 [&] { return real_pwrite(file, buffer, size, place); });
}
HEDDLE_EXPORT ssize_t pwrite64(int file, const void* buffer, std::size_t size, off_t place) {
  return on_file(file, heddle::controlled::Transfer::out, HEDDLE_CALLER,
                 [&] { return real_pwrite(file, buffer, size, place); });
}
HEDDLE_EXPORT ssize_t pwritev(int file, const iovec* parts, int count, off_t place) {
  return on_file(file, heddle::controlled::Transfer::out, HEDDLE_CALLER,
                 [&] { return real_pwritev(file, parts, count, place); });
}
HEDDLE_EXPORT ssize_t pwritev64(int file, const iovec* parts, int count, off_t place) {
  return on_file(file, heddle::controlled::Transfer::out, HEDDLE_CALLER,
                 [&] { return real_pwritev(file, parts, count, place); });
}
HEDDLE_EXPORT int ftruncate(int file, off_t size) noexcept {
  return on_file(file, heddle::controlled::Transfer::out, HEDDLE_CALLER,
                 [&] { return real_ftruncate(file, size); });
}
HEDDLE_EXPORT int ftruncate64(int file, off_t size) noexcept {
  return on_file(file, heddle::controlled::Transfer::out, HEDDLE_CALLER,
                 [&] { return real_ftruncate(file, size); });
}
HEDDLE_EXPORT int fsync(int file) {
  return on_file(file, heddle::controlled::Transfer::out, HEDDLE_CALLER,
                 [&] { return real_fsync(file); });
}
HEDDLE_EXPORT int fdatasync(int file) {
  return on_file(file, heddle::controlled::Transfer::out, HEDDLE_CALLER,
                 [&] { return real_fdatasync(file); });
}
HEDDLE_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  const ssize_t size = do_read(descriptor, value, sizeof *value, HEDDLE_CALLER);
  return size == sizeof *value ? 0 : -1;
}
HEDDLE_EXPORT int eventfd_write(int descriptor, eventfd_t value) {
  const ssize_t size = do_write(descriptor, &value, sizeof value, HEDDLE_CALLER);
  return size == sizeof value ? 0 : -1;
}

HEDDLE_EXPORT ssize_t recv(int socket, void* buffer, std::size_t size, int flags) {
  return do_recv(socket, buffer, size, flags, HEDDLE_CALLER);
}
HEDDLE_EXPORT ssize_t recvfrom(int socket, void* buffer, std::size_t size, int flags,
                               sockaddr* address, socklen_t* length) {
  return received(on_descriptor(reading(socket, "recvfrom", HEDDLE_CALLER, flags), [&] {
    return real_recvfrom(socket, buffer, size, flags, address, length);
  }));
}
HEDDLE_EXPORT ssize_t recvmsg(int socket, msghdr* message, int flags) {
  const ssize_t size =
      received(on_descriptor(reading(socket, "recvmsg", HEDDLE_CALLER, flags),
                             [&] { return real_recvmsg(socket, message, flags); }));
  if (size >= 0) see_passed_descriptors(message);
  return size;
}
HEDDLE_EXPORT int recvmmsg(int socket, mmsghdr* messages, unsigned count, int flags,
                           timespec* timeout) {
  DescriptorUse use = reading(socket, "recvmmsg", HEDDLE_CALLER, flags);
  use.whole = use.whole || (count > 1 && (flags & MSG_WAITFORONE) == 0);
  const int got = received(
      on_descriptor(use, [&] { return real_recvmmsg(socket, messages, count, flags, timeout); }));
  for (int i = 0; i < got; ++i) see_passed_descriptors(&messages[i].msg_hdr);
  return got;
}
HEDDLE_EXPORT ssize_t send(int socket, const void* buffer, std::size_t size, int flags) {
  if ((flags & (MSG_DONTWAIT | MSG_OOB)) == 0 && goes_in_pieces(socket, size)) {
    return in_pieces(writing(socket, "send", HEDDLE_CALLER, PIPE_BUF, flags), size, PIPE_BUF,
                     [&](std::size_t done, std::size_t piece) {
                       return real_send(socket, static_cast<const char*>(buffer) + done, piece,
                                        flags);
                     });
  }
  return on_descriptor(writing(socket, "send", HEDDLE_CALLER, size, flags),
                       [&] { return real_send(socket, buffer, size, flags); });
}
HEDDLE_EXPORT ssize_t sendto(int socket, const void* buffer, std::size_t size, int flags,
                             const sockaddr* address, socklen_t length) {
  if (may_wait_for_receiver(socket, address, flags)) {
    iovec part{const_cast<void*>(buffer), size};
    msghdr message{};
    message.msg_name = const_cast<sockaddr*>(address);
    message.msg_namelen = length;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    return send_to_receiver(writing(socket, "sendto", HEDDLE_CALLER, size, flags), message, flags);
  }
  return on_descriptor(writing(socket, "sendto", HEDDLE_CALLER, size, flags),
                       [&] { return real_sendto(socket, buffer, size, flags, address, length); });
}
HEDDLE_EXPORT ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  const std::size_t size = message == nullptr ? 0 : total(message->msg_iov, message->msg_iovlen);
  see_passed_descriptors(message);
  const auto* const address =
      message == nullptr ? nullptr : static_cast<const sockaddr*>(message->msg_name);
  if (may_wait_for_receiver(socket, address, flags)) {
    return send_to_receiver(writing(socket, "sendmsg", HEDDLE_CALLER, size, flags), *message,
                            flags);
  }
  return on_descriptor(writing(socket, "sendmsg", HEDDLE_CALLER, size, flags),
                       [&] { return real_sendmsg(socket, message, flags); });
}
HEDDLE_EXPORT int sendmmsg(int socket, mmsghdr* messages, unsigned count, int flags) {
  std::size_t size = 0;
  for (unsigned i = 0; i < count; ++i) {
    size += total(messages[i].msg_hdr.msg_iov, messages[i].msg_hdr.msg_iovlen);
    see_passed_descriptors(&messages[i].msg_hdr);
  }
  return on_descriptor(writing(socket, "sendmmsg", HEDDLE_CALLER, size, flags),
                       [&] { return real_sendmmsg(socket, messages, count, flags); });
}

HEDDLE_EXPORT int accept(int socket, sockaddr* address, socklen_t* length) {
  return taken(on_descriptor(reading(socket, "accept", HEDDLE_CALLER),
                             [&] { return real_accept(socket, address, length); }));
}
HEDDLE_EXPORT int accept4(int socket, sockaddr* address, socklen_t* length, int flags) {
  return taken(on_descriptor(reading(socket, "accept4", HEDDLE_CALLER),
                             [&] { return real_accept4(socket, address, length, flags); }));
}

HEDDLE_EXPORT int close(int descriptor) { return do_close(descriptor, HEDDLE_CALLER); }
HEDDLE_EXPORT int __close(int descriptor) { return do_close(descriptor, HEDDLE_CALLER); }
HEDDLE_EXPORT int shutdown(int socket, int how) noexcept {
  if (g_detecting) show_descriptor_written(writing(socket, "shutdown", HEDDLE_CALLER, 0));
  const int result = real_shutdown(socket, how);
  if (under_control()) heddle::controlled::note_room();
  return result;
}
HEDDLE_EXPORT int signalfd(int descriptor, const sigset_t* mask, int flags) noexcept {
  const int result = real_signalfd(descriptor, mask, flags);
  if (result >= 0) note_signal_descriptor(result, true);
  return result;
}

// What -D_FORTIFY_SOURCE makes of the same calls.
HEDDLE_EXPORT ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room) {
  return on_descriptor(reading_into(size, descriptor, "read", HEDDLE_CALLER),
                       [&] { return real_read_chk(descriptor, buffer, size, room); });
}
HEDDLE_EXPORT ssize_t __recv_chk(int socket, void* buffer, std::size_t size, std::size_t room,
                                 int flags) {
  return on_descriptor(reading(socket, "recv", HEDDLE_CALLER, flags),
                       [&] { return real_recv_chk(socket, buffer, size, room, flags); });
}
HEDDLE_EXPORT ssize_t __recvfrom_chk(int socket, void* buffer, std::size_t size, std::size_t room,
                                     int flags, sockaddr* address, socklen_t* length) {
  return on_descriptor(reading(socket, "recvfrom", HEDDLE_CALLER, flags), [&] {
    return real_recvfrom_chk(socket, buffer, size, room, flags, address, length);
  });
}
