#include "runtime/fork_server.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>

#include <cerrno>

#include "contract/control_block.h"
#include "runtime/affinity.h"
#include "runtime/bind_names.h"
#include "runtime/controlled/begin.h"
#include "runtime/leaving.h"
#include "runtime/mode.h"
#include "runtime/own_data.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/platform/text.h"
#include "runtime/run_setup.h"

namespace heddle::runtime {
namespace {

unsigned g_threads_before_main = 0;

// libc's own, for what it does besides the system call: atfork handlers, thread ids, locks.
HEDDLE_REAL Real<pid_t()> real_fork{"fork"};

void reply(const Pipes& pipes, const ServerReply& message) {
  // Before the reply: after it the word is the next run's.
  __atomic_store_n(&g_control->ended, 1, __ATOMIC_RELEASE);
  raw_syscall(SYS_futex, as_word(&g_control->ended), FUTEX_WAKE, 1, 0, 0, 0);
  if (!raw_write_all(pipes.status, &message, sizeof message)) raw_exit(0);
}

// The next byte from the tool. Ends the process when there will be none.
char take_command(const Pipes& pipes) {
  char command = 0;
  for (;;) {
    const long got = raw_syscall(SYS_read, pipes.command, as_word(&command), 1);
    if (got == 1) return command;
    if (got != -EINTR) raw_exit(0);
  }
}

// Where the run before is about to end on another CPU, a child that slept would be woken on a CPU that sleeps, too, which takes
// as long as a tenth of a short run. So it looks for its order a while, letting others run, before it waits in the kernel.
void look_for_order(const Pipes& pipes) {
  constexpr int kLooks = 2000;  // about a millisecond
  const std::uint32_t before = __atomic_load_n(&g_control->orders, __ATOMIC_ACQUIRE);
  if (before == 0) return;
  pollfd command{pipes.command, POLLIN, 0};
  if (raw_syscall(SYS_poll, as_word(&command), 1, 0) != 0) return;
  for (int look = 0; look < kLooks; ++look) {
    if (__atomic_load_n(&g_control->orders, __ATOMIC_ACQUIRE) != before) return;
    raw_syscall(SYS_sched_yield);
  }
}

// Before the first command there is no plan.
void await_first_command(const Pipes& pipes) {
  pollfd command{pipes.command, POLLIN, 0};
  while (raw_syscall(SYS_poll, as_word(&command), 1, -1) == -EINTR) {
  }
}

long g_children = -1;  // /proc's list of ours: orphans of a run come to us

// The tool is gone, and with it the reason for this run.
[[noreturn]] void give_up(pid_t child) {
  raw_syscall(SYS_kill, -child, SIGKILL);
  raw_exit(0);
}

// Waits for the end of the child, or of the tool.
void await(const Pipes& pipes, pid_t child) {
  const long handle = raw_syscall(SYS_pidfd_open, child, 0);
  while (handle >= 0) {
    pollfd ends[2] = {{static_cast<int>(handle), POLLIN, 0}, {pipes.command, 0, 0}};
    const long ready = raw_syscall(SYS_poll, as_word(ends), 2, -1);
    if (ready == -EINTR) continue;
    if (ready > 0 && ends[1].revents != 0) give_up(child);
    break;
  }
  if (handle >= 0) raw_syscall(SYS_close, handle);
}

// Orphans of a run come to us. Ends those that live, reaps all; how many lived at first.
unsigned end_orphans() {
  constexpr int kRounds = 50;
  constexpr timespec kPause{
      0, 2'000'000};  // the children of an orphan need a moment to change parents
  int ignored = 0;
  long found = 0;
  while ((found = raw_syscall(SYS_wait4, -1, as_word(&ignored), WNOHANG, 0)) > 0) {
  }
  if (found == -ECHILD) return 0;  // mostly there are none, and asking /proc costs more
  unsigned ended = 0;
  for (int round = 0; round < kRounds; ++round) {
    char text[4096];
    const long size = raw_syscall(SYS_pread64, g_children, as_word(text), sizeof text - 1, 0);
    if (size <= 0) return ended;
    text[size] = '\0';
    bool any = false;
    for (const char* at = text; *at >= '0' && *at <= '9';) {
      const std::int64_t process = take_number(at);
      while (*at == ' ') ++at;
      int status = 0;
      if (raw_syscall(SYS_wait4, process, as_word(&status), WNOHANG, 0) != 0) continue;
      any = true;
      raw_syscall(SYS_kill, process, SIGKILL);
      if (round == 0) ++ended;
    }
    if (!any) return ended;
    raw_syscall(SYS_nanosleep, as_word(&kPause), 0);
  }
  return ended;
}

// Reaps the child and ends all that is left of its run.
ServerReply bury(pid_t child) {
  ServerReply message{ServerReply::Kind::ended, 0, 0};
  raw_syscall(SYS_kill, -child, SIGKILL);  // while the number cannot be anybody else's
  while (raw_syscall(SYS_wait4, child, as_word(&message.value), 0, 0) == -EINTR) {
  }
  message.orphans = end_orphans();
  return message;
}

// Threads beside this one. The kernel knows them all, whoever made them and however early.
unsigned other_threads() {
  struct Entry {
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
  };
  const long directory =
      raw_syscall(SYS_openat, AT_FDCWD, as_word("/proc/self/task"), O_RDONLY | O_DIRECTORY);
  if (directory < 0) return 0;
  unsigned count = 0;
  alignas(Entry) char buffer[2048];
  for (;;) {
    const long size = raw_syscall(SYS_getdents64, directory, as_word(buffer), sizeof buffer);
    if (size <= 0) break;
    for (long at = 0; at < size;) {
      const auto* const entry = reinterpret_cast<const Entry*>(buffer + at);
      if (entry->name[0] != '.') ++count;
      at += entry->length;
    }
  }
  raw_syscall(SYS_close, directory);
  return count > 0 ? count - 1 : 0;
}

// What every run would do first, done once: a child begins on its CPU instead of moving there, and inherits our maps.
// Done again in the child, whose plan may be another one; mostly there is nothing left to do.
void settle() {
  static bool prepared = false;
  const RunPlan& plan = g_control->plan;
  if (plan.engine == EngineKind::controlled) {
    if (!prepared) controlled::prepare();
    prepared = true;
    if (plan.cpu != 0xffff) pin_to(plan.cpu);
  } else {
    unpin();
  }
}

// The child was made before it is wanted, while the tool still looks at the run before, and waits here for its turn.
void stand_by(const Pipes& pipes, long server) {
  raw_syscall(SYS_setpgid, 0, 0);
  // Whoever ends the server ends the run. The signal is not inherited by the program's own children.
  raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
  if (raw_syscall(SYS_getppid) != server) raw_exit(0);
  look_for_order(pipes);
  take_command(pipes);
  // Reads the plan, and that before we write to the control block: the kernel answers a first read, but not a first write, with
  // the neighbouring pages as well.
  settle();
  const auto own = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  __atomic_store_n(&g_control->run_process, own, __ATOMIC_RELEASE);
  close_pipes(pipes);
  raw_syscall(SYS_close, g_children);
}

}  // namespace

void say_hello(const Pipes& pipes) {
  constexpr long kAskOnly = 0xffffffff;
  Hello hello{};
  hello.magic = kControlMagic;
  hello.version = kControlVersion;
  hello.pid = static_cast<std::int32_t>(raw_syscall(SYS_getpid));
  g_threads_before_main = other_threads();
  hello.threads_before_main = g_threads_before_main;
  hello.aslr_off = (raw_syscall(SYS_personality, kAskOnly) & ADDR_NO_RANDOMIZE) != 0 ? 1 : 0;
  if (!raw_write_all(pipes.status, &hello, sizeof hello)) raw_exit(0);
}

void close_pipes(const Pipes& pipes) {
  raw_syscall(SYS_close, pipes.command);
  raw_syscall(SYS_close, pipes.status);
}

void serve(const Pipes& pipes) {
  const long server = raw_syscall(SYS_getpid);
  find_all_real();
  bind_lazy_names();
  make_own_data_anonymous();
  note_descriptors_of_server();
  g_children = raw_syscall(SYS_openat, AT_FDCWD, as_word("/proc/thread-self/children"),
                           O_RDONLY | O_CLOEXEC);
  // What a run leaves behind becomes our child. A run does not inherit this.
  raw_syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  await_first_command(pipes);
  settle();
  reopen_standard(g_control->plan);
  for (;;) {
    const int saved = errno;
    // fork would lose threads that are there already; the tool was told in Hello.
    const pid_t child = g_threads_before_main != 0 ? -1 : real_fork();
    if (child == 0) {
      errno = saved;
      stand_by(pipes, server);
      return;
    }
    if (child < 0) {
      const int error = g_threads_before_main != 0 ? EAGAIN : errno;
      take_command(pipes);
      reply(pipes, {ServerReply::Kind::fork_failed, error, 0});
      continue;
    }
    await(pipes, child);
    reply(pipes, bury(child));
    // The kernel likes to wake the tool on this CPU: it goes first, the next run waits for it.
    raw_syscall(SYS_sched_yield);
  }
}

}  // namespace heddle::runtime
