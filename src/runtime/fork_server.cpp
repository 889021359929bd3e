#include "runtime/fork_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/types.h>

#include <cerrno>

#include "contract/control_block.h"
#include "runtime/affinity.h"
#include "runtime/bind_names.h"
#include "runtime/controlled/begin.h"
#include "runtime/mode.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/run_setup.h"

namespace heddle::runtime {
namespace {

unsigned g_threads_before_main = 0;

// libc's own, for what it does besides the system call: atfork handlers, thread ids, locks.
HEDDLE_REAL Real<pid_t()> real_fork{"fork"};

void reply(const Pipes& pipes, ServerReply::Kind kind, int value) {
  const ServerReply message{kind, value};
  if (!raw_write_all(pipes.status, &message, sizeof message)) raw_exit(0);
}

// The tool is gone, and with it the reason for this run.
[[noreturn]] void give_up(pid_t child) {
  raw_syscall(SYS_kill, -child, SIGKILL);
  raw_exit(0);
}

// Waits for the run's end, or for the tool's.
int await(const Pipes& pipes, pid_t child) {
  const long handle = raw_syscall(SYS_pidfd_open, child, 0);
  while (handle >= 0) {
    pollfd ends[2] = {{static_cast<int>(handle), POLLIN, 0}, {pipes.command, 0, 0}};
    const long ready = raw_syscall(SYS_poll, as_word(ends), 2, -1);
    if (ready == -EINTR) continue;
    if (ready > 0 && ends[0].revents == 0 && ends[1].revents != 0) give_up(child);
    break;
  }
  int status = 0;
  while (raw_syscall(SYS_wait4, child, as_word(&status), 0, 0) == -EINTR) {
  }
  if (handle >= 0) raw_syscall(SYS_close, handle);
  return status;
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
void settle_before_fork() {
  const RunPlan& plan = g_control->plan;
  if (plan.engine == EngineKind::controlled) {
    controlled::prepare();
    if (plan.cpu != 0xffff) pin_to(plan.cpu);
  } else {
    unpin();
  }
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
  for (;;) {
    char command = 0;
    const long got = raw_syscall(SYS_read, pipes.command, as_word(&command), 1);
    if (got == -EINTR) continue;
    if (got <= 0) raw_exit(0);
    if (command != kCommandRun) continue;
    if (g_threads_before_main != 0) {  // fork would lose them; the tool was told in Hello
      reply(pipes, ServerReply::Kind::fork_failed, EAGAIN);
      continue;
    }
    settle_before_fork();
    reopen_standard(g_control->plan);
    const int saved = errno;
    const pid_t child = real_fork();
    if (child == 0) {
      errno = saved;
      raw_syscall(SYS_setpgid, 0, 0);
      // Whoever ends the server ends the run. The signal is not inherited by the program's own children.
      raw_syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
      if (raw_syscall(SYS_getppid) != server) raw_exit(0);
      close_pipes(pipes);
      return;
    }
    if (child < 0) {
      reply(pipes, ServerReply::Kind::fork_failed, errno);
      continue;
    }
    raw_syscall(SYS_setpgid, child, child);  // whoever comes first; the other's does nothing
    __atomic_store_n(&g_control->run_process, child, __ATOMIC_RELEASE);
    reply(pipes, ServerReply::Kind::ended, await(pipes, child));
  }
}

}  // namespace heddle::runtime
