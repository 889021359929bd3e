#include "runtime/blocking.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/real_time.h"
#include "runtime/controlled/world.h"
#include "runtime/platform/kernel_name.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/thread.h"

namespace heddle::runtime {

namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::int64_t kChildPatience = 200'000'000;       // for one answer
constexpr std::int64_t kAllChildPatience = 1'000'000'000;  // in a run

HEDDLE_REAL Real<int(int, int, long)> real_fcntl{"fcntl"};
HEDDLE_REAL Real<int(int, int, int, epoll_event*)> real_epoll_ctl{"epoll_ctl"};
HEDDLE_REAL Real<int(int)> real_close{"close"};

// A ready pipe or stream has room for this much, not for all that a large write wants to put in. A message goes as a whole.
bool may_wait_halfway(const DescriptorUse& use) {
  if (use.non_blocking) return false;
  if (use.whole) return true;
  if (use.events != POLLOUT || use.size <= PIPE_BUF) return false;
  return is_stream(use.descriptor);
}

// What is read from a file does not depend on who reads first, as far as it is not a memory of threads.
void use_descriptor(const DescriptorUse& use) {
  if (use.events == POLLIN) {
    struct stat status {};
    if (fstat(use.descriptor, &status) != 0 || S_ISREG(status.st_mode)) return;
  }
  const auto transfer =
      use.events == POLLOUT ? controlled::Transfer::out : controlled::Transfer::in;
  controlled::use_descriptor(use.descriptor, transfer, use.caller);
}

class ErrnoKeeper {
 public:
  ErrnoKeeper() : kept_(errno) {}
  ~ErrnoKeeper() { errno = kept_; }
  ErrnoKeeper(const ErrnoKeeper&) = delete;
  ErrnoKeeper& operator=(const ErrnoKeeper&) = delete;

 private:
  int kept_;
};

// An epoll set of the descriptors, so that the engine has one to wait for; -1 if there cannot be one.
int make_set(const pollfd* descriptors, nfds_t count) {
  const int low = epoll_create1(EPOLL_CLOEXEC);
  if (low < 0) return -1;
  const auto set = static_cast<int>(real_fcntl(low, F_DUPFD_CLOEXEC, kFirstOwnDescriptor));
  real_close(low);
  if (set < 0) return -1;
  for (nfds_t i = 0; i < count; ++i) {
    if (descriptors[i].fd < 0) continue;
    // poll's and epoll's bits are the same; a descriptor that is listed twice wants the union.
    epoll_event event{};
    for (nfds_t j = 0; j < count; ++j)
      if (descriptors[j].fd == descriptors[i].fd)
        event.events |= static_cast<std::uint16_t>(descriptors[j].events);
    if (real_epoll_ctl(set, EPOLL_CTL_ADD, descriptors[i].fd, &event) != 0 && errno != EEXIST) {
      real_close(set);
      return -1;
    }
  }
  return set;
}

Readiness readiness(controlled::WaitEnd end) {
  switch (end) {
    case controlled::WaitEnd::ready:
      return Readiness::ready;
    case controlled::WaitEnd::timed_out:
      return Readiness::timed_out;
    default:
      return Readiness::interrupted;
  }
}

}  // namespace

bool is_ready(int descriptor, short events) {
  if (descriptor < 0) return true;  // poll would skip it; the call has its own answer
  pollfd poll{descriptor, events, 0};
  long found = 0;
  do {
    found = raw_syscall(SYS_poll, as_word(&poll), 1, 0);
  } while (found == -EINTR);  // a signal is pending: says nothing of the descriptor
  return found != 0;          // an error counts: the call will report it
}

std::int64_t socket_timeout(int descriptor, short events) {
  timeval timeout{};
  socklen_t length = sizeof timeout;
  const int option = events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO;
  if (getsockopt(descriptor, SOL_SOCKET, option, &timeout, &length) != 0) return kForever;
  const std::int64_t nanoseconds =
      timeout.tv_sec * kNanosecondsPerSecond + timeout.tv_usec * std::int64_t{1000};
  return nanoseconds == 0 ? kForever : nanoseconds;
}

bool is_stream(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return false;
  if (S_ISFIFO(status.st_mode)) return true;
  int type = 0;
  socklen_t length = sizeof type;
  return S_ISSOCK(status.st_mode) &&
         getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_STREAM;
}

bool is_non_blocking(int descriptor) {
  const int flags = real_fcntl(descriptor, F_GETFL, 0);
  return flags >= 0 && (flags & O_NONBLOCK) != 0;
}

// One that is open for the other direction only (an end of a pipe): the call says so at once.
static bool is_wrong_end(const DescriptorUse& use) {
  const int flags = real_fcntl(use.descriptor, F_GETFL, 0);
  if (flags < 0) return false;
  return (flags & O_ACCMODE) == (use.events == POLLOUT ? O_RDONLY : O_WRONLY);
}

// Nothing is written, or less than the descriptor takes: the call says so at once.
static bool writes_too_little(const DescriptorUse& use) {
  if (use.size >= sizeof(std::uint64_t) || use.queue) return false;
  if (use.size == 0 && is_stream(use.descriptor)) return true;
  return text_equal(kernel_name(use.descriptor).text, "anon_inode:[eventfd]");
}

// What comes does not fit: the call says so at once, and waits for nothing.
static bool is_too_short(const DescriptorUse& use) {
  if (use.events == POLLOUT) return writes_too_little(use);
  if (use.events != POLLIN || use.room >= sizeof(signalfd_siginfo)) return false;
  if (use.room == 0) return true;
  const KernelName name = kernel_name(use.descriptor);
  if (text_equal(name.text, "anon_inode:[signalfd]")) return true;
  const bool counts = text_equal(name.text, "anon_inode:[eventfd]") ||
                      text_equal(name.text, "anon_inode:[timerfd]");
  return counts && use.room < sizeof(std::uint64_t);
}

// The call is about to say that there is nothing.
static void note_if_in_vain(const DescriptorUse& use) {
  if (controlled::has_children() && !is_ready(use.descriptor, use.events) &&
      controlled::outsiders_descriptor(use.descriptor)) {
    controlled::note_asked_in_vain();
  }
}

Readiness wait_until_ready(const DescriptorUse& use) {
  const ErrnoKeeper keeper;
  if (is_wrong_end(use)) return Readiness::ready;
  if (may_wait_halfway(use) && !is_non_blocking(use.descriptor)) return Readiness::unknown;
  const bool asks_only = use.non_blocking || is_non_blocking(use.descriptor);
  bool ready = is_ready(use.descriptor, use.events);
  const bool too_short = !ready && !asks_only && is_too_short(use);
  for (ChildPatience child; !ready && !asks_only && !too_short && child.more();) {
    ready = is_ready(use.descriptor, use.events);
  }
  if (ready) {
    use_descriptor(use);
    if (is_ready(use.descriptor, use.events)) return Readiness::ready;
  }
  if (asks_only) {
    // The program is going to ask again and again: let the others bring about what it asks for.
    controlled::yield(use.caller);
    note_if_in_vain(use);
    return Readiness::ready;
  }
  if (too_short) return Readiness::ready;
  controlled::thread_testcancel();
  const Patience patience{socket_timeout(use.descriptor, use.events), use.caller};
  // Another thread may take what there was before this one is scheduled, hence the loop.
  do {
    const Readiness end = readiness(controlled::wait_for_descriptor(
        use.descriptor, use.events, patience.left(), controlled::WaitsFor::one, use.caller));
    if (end == Readiness::timed_out) return end;
    controlled::thread_testcancel();  // the engine wakes a thread that is cancelled
    if (end == Readiness::interrupted) return end;
  } while (!is_ready(use.descriptor, use.events));
  return Readiness::ready;
}

Readiness wait_for_any(const pollfd* descriptors, nfds_t count, std::int64_t timeout_ns,
                       void* caller) {
  const ErrnoKeeper keeper;
  const pollfd* only = nullptr;
  nfds_t used = 0;
  for (nfds_t i = 0; i < count; ++i) {
    if (descriptors[i].fd < 0) continue;
    only = &descriptors[i];
    ++used;
  }
  controlled::thread_testcancel();
  if (used == 1) {
    const controlled::WaitEnd end = controlled::wait_for_descriptor(
        only->fd, only->events, timeout_ns, controlled::WaitsFor::any, caller);
    controlled::thread_testcancel();
    return readiness(end);
  }
  const int set = make_set(descriptors, count);
  if (set < 0) return Readiness::unknown;
  const controlled::WaitEnd end =
      controlled::wait_for_descriptor(set, POLLIN, timeout_ns, controlled::WaitsFor::any, caller);
  real_close(set);
  controlled::thread_testcancel();
  return readiness(end);
}

bool ChildPatience::more() {
  static std::int64_t waited_in_all;  // by whoever has control
  if (!controlled::has_children() || waited_ns_ >= kChildPatience ||
      waited_in_all >= kAllChildPatience || !controlled::has_child_now()) {
    return false;
  }
  const InRuntime inside(self());  // the watchdog would take control away
  // Short moments first: most answers are on their way.
  const std::int64_t moment = waited_ns_ < 2'000'000 ? 50'000 : 1'000'000;
  const timespec length{0, moment};
  raw_syscall(SYS_nanosleep, as_word(&length), 0);
  waited_ns_ += moment;
  waited_in_all += moment;
  return true;
}

namespace {

std::int64_t virtual_now(void* caller) {
  timespec now{};
  controlled::clock_now(CLOCK_MONOTONIC, &now, caller);
  return now.tv_sec * kNanosecondsPerSecond + now.tv_nsec;
}

}  // namespace

Patience::Patience(std::int64_t timeout_ns, void* caller)
    : deadline_(timeout_ns < 0 ? kForever : virtual_now(caller) + timeout_ns), caller_(caller) {}

std::int64_t Patience::left() const {
  if (deadline_ == kForever) return kForever;
  const std::int64_t left = deadline_ - virtual_now(caller_);
  return left < 0 ? 0 : left;
}

}  // namespace heddle::runtime
