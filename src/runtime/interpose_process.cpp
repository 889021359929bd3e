// The process: its copies, its successors and its end.
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"
#include "runtime/identity.h"
#include "runtime/inheritable.h"
#include "runtime/leaving.h"
#include "runtime/mode.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"
#include "runtime/start.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

HEDDLE_REAL Real<pid_t()> real_fork{"fork"};
HEDDLE_REAL Real<pid_t()> real_plain_fork{"_Fork"};
HEDDLE_REAL Real<int(int, int)> real_daemon{"daemon"};
HEDDLE_REAL Real<void(int)> real_exit{"exit"};
HEDDLE_REAL Real<void(int)> real_quick_exit{"quick_exit"};
HEDDLE_REAL Real<void(int)> real_end{"_exit"};
HEDDLE_REAL Real<int(const char*, char* const*, char* const*)> real_execve{"execve"};
HEDDLE_REAL Real<int(const char*, char* const*)> real_execv{"execv"};
HEDDLE_REAL Real<int(const char*, char* const*)> real_execvp{"execvp"};
HEDDLE_REAL Real<int(const char*, char* const*, char* const*)> real_execvpe{"execvpe"};
HEDDLE_REAL Real<int(int, char* const*, char* const*)> real_fexecve{"fexecve"};
HEDDLE_REAL Real<FILE*(const char*, const char*)> real_popen{"popen"};
HEDDLE_REAL Real<int(void*)> real_dlclose{"dlclose"};
HEDDLE_REAL Real<ssize_t(int, void*, std::size_t)> real_read{"read"};

// The child becomes inactive, or takes control, through the fork handler that start.cpp registered; here where libc calls none.
enum class Handlers : bool { none, called };
using controlled::ChildMayHaveControl;
template <class Fork>
pid_t fork_with(Fork&& fork, Handlers handlers, ChildMayHaveControl passing, void* caller) {
  if (inactive()) return fork();
  const bool in_control = under_control();
  if (in_control) {
    controlled::before_fork(passing, caller);
  } else if (free_engine_wants(EventKind::fork)) {
    free_event({.kind = EventKind::fork, .object = nullptr, .caller = caller}, EventPhase::before);
  }
  const pid_t child = fork();
  const int saved = errno;
  if (child == 0) {
    if (handlers == Handlers::none) become_inactive();
  } else if (in_control) {
    controlled::after_fork_in_parent(child);
  }
  errno = saved;
  return child;
}

// A successful exec ends this program: what is counted must be counted now.
template <class Exec>
int exec_with(Exec&& exec, void* caller) {
  if (inactive()) return exec();
  if (free_engine_wants(EventKind::exec)) {
    free_event({.kind = EventKind::exec, .object = nullptr, .caller = caller}, EventPhase::before);
    add_counts(self());
  }
  const Inheritable during;
  if (!controlled() || !self().has_control) return exec();
  // An alarm goes on in the new program, where the watchdog's signal would be the end.
  controlled::lend_timers_to_kernel();
  // A child that has control may become what it likes: its parent goes on.
  const bool is_run = !controlled::is_child_in_control();
  const std::uint32_t running = g_control->running_tid;
  __atomic_store_n(&g_control->running_tid, 0u, __ATOMIC_RELAXED);
  if (is_run) g_control->outcome.became_another = 1;
  const int result = exec();
  const int saved = errno;
  if (is_run) g_control->outcome.became_another = 0;
  __atomic_store_n(&g_control->running_tid, running, __ATOMIC_RELAXED);
  controlled::take_timers_back();
  errno = saved;
  return result;
}

constexpr std::size_t kMostArguments = 4096;

}  // namespace
}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT pid_t fork() noexcept {
  return fork_with([] { return real_fork(); }, Handlers::called, ChildMayHaveControl::yes,
                   HEDDLE_CALLER);
}

HEDDLE_EXPORT pid_t _Fork() noexcept {
  return fork_with([] { return real_plain_fork(); }, Handlers::none, ChildMayHaveControl::no,
                   HEDDLE_CALLER);
}

// libc's daemon forks inside; the fork handler quietens the child, and the parent leaves by _exit, unseen by us.
HEDDLE_EXPORT int daemon(int no_chdir, int no_close) noexcept {
  if (!inactive()) {
    process_exiting(0, HEDDLE_CALLER);
    process_exited();
  }
  return real_daemon(no_chdir, no_close);
}

// vfork returns twice on one stack, so it cannot be wrapped. Not under test: the system call itself, as libc does it.
// Under test: a fork whose parent waits until the child has become another program or ended, which is what vfork
// promises; only the child's writes to its parent's memory, which POSIX forbids, are lost.
extern "C" __attribute__((visibility("hidden"), used)) pid_t heddle_vfork_as_fork() {
  int ends[2] = {-1, -1};
  const bool has_pipe = raw_syscall(SYS_pipe2, as_word(ends), O_CLOEXEC) == 0;
  const pid_t child = fork_with([] { return real_fork(); }, Handlers::called,
                                ChildMayHaveControl::no, HEDDLE_CALLER);
  if (!has_pipe) return child;
  if (child == 0) {
    // High, so that the child's own descriptors come out as it expects.
    raw_syscall(SYS_close, ends[0]);
    if (raw_syscall(SYS_fcntl, ends[1], F_DUPFD_CLOEXEC, 900) >= 0) {
      raw_syscall(SYS_close, ends[1]);
    }
    return 0;
  }
  const int saved = errno;
  raw_syscall(SYS_close, ends[1]);
  char nothing;
  // libc's, where the watchdog may let the others go on.
  while (child > 0 && real_read(ends[0], &nothing, 1) < 0 && errno == EINTR) {
  }
  raw_syscall(SYS_close, ends[0]);
  errno = saved;
  return child;
}
extern "C" __attribute__((visibility("hidden"), used)) pid_t heddle_vfork_failed(long error) {
  errno = static_cast<int>(-error);
  return -1;
}
extern "C" __attribute__((visibility("hidden"), used)) bool heddle_vfork_is_safe() {
  return inactive();
}
asm(R"(
  .text
  .globl vfork
  .type vfork, @function
vfork:
  .cfi_startproc
  subq $8, %rsp
  .cfi_adjust_cfa_offset 8
  call heddle_vfork_is_safe
  addq $8, %rsp
  .cfi_adjust_cfa_offset -8
  testb %al, %al
  je heddle_vfork_as_fork
  popq %rdi
  .cfi_adjust_cfa_offset -8
  .cfi_register %rip, %rdi
  movl $58, %eax
  syscall
  pushq %rdi
  .cfi_adjust_cfa_offset 8
  cmpl $-4095, %eax
  jae 1f
  ret
1:
  movslq %eax, %rdi
  jmp heddle_vfork_failed
  .cfi_endproc
  .size vfork, .-vfork
)");

HEDDLE_EXPORT void exit(int status) noexcept {
  process_exiting(status, HEDDLE_CALLER);
  real_exit(status);
  __builtin_unreachable();
}
HEDDLE_EXPORT void quick_exit(int status) noexcept {
  process_exiting(status, HEDDLE_CALLER);
  process_exited();
  announce_end();
  real_quick_exit(status);
  __builtin_unreachable();
}
HEDDLE_EXPORT void _exit(int status) {
  process_exiting(status, HEDDLE_CALLER);
  process_exited();
  announce_end();
  real_end(status);
  __builtin_unreachable();
}
HEDDLE_EXPORT void _Exit(int status) noexcept {
  process_exiting(status, HEDDLE_CALLER);
  process_exited();
  announce_end();
  real_end(status);
  __builtin_unreachable();
}

HEDDLE_EXPORT int execve(const char* path, char* const* arguments,
                         char* const* environment) noexcept {
  return exec_with([&] { return real_execve(path, arguments, environment); }, HEDDLE_CALLER);
}
HEDDLE_EXPORT int execv(const char* path, char* const* arguments) noexcept {
  return exec_with([&] { return real_execv(path, arguments); }, HEDDLE_CALLER);
}
HEDDLE_EXPORT int execvp(const char* file, char* const* arguments) noexcept {
  return exec_with([&] { return real_execvp(file, arguments); }, HEDDLE_CALLER);
}
HEDDLE_EXPORT int execvpe(const char* file, char* const* arguments,
                          char* const* environment) noexcept {
  return exec_with([&] { return real_execvpe(file, arguments, environment); }, HEDDLE_CALLER);
}
HEDDLE_EXPORT int fexecve(int descriptor, char* const* arguments,
                          char* const* environment) noexcept {
  return exec_with([&] { return real_fexecve(descriptor, arguments, environment); }, HEDDLE_CALLER);
}

// The variadic ones: gather, then the array form. Returns false when there are more than we can hold.
#define HEDDLE_GATHER(arguments, first, list)                         \
  char* arguments[kMostArguments];                                    \
  std::size_t count = 0;                                              \
  arguments[count++] = const_cast<char*>(first);                      \
  while (arguments[count - 1] != nullptr && count < kMostArguments) { \
    arguments[count++] = va_arg(list, char*);                         \
  }                                                                   \
  if (arguments[count - 1] != nullptr) {                              \
    va_end(list);                                                     \
    errno = E2BIG;                                                    \
    return -1;                                                        \
  }

HEDDLE_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  HEDDLE_GATHER(arguments, first, list)
  va_end(list);
  return exec_with([&] { return real_execv(path, arguments); }, HEDDLE_CALLER);
}
HEDDLE_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  HEDDLE_GATHER(arguments, first, list)
  va_end(list);
  return exec_with([&] { return real_execvp(file, arguments); }, HEDDLE_CALLER);
}
HEDDLE_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  va_list list;
  va_start(list, first);
  HEDDLE_GATHER(arguments, first, list)
  char* const* const environment = va_arg(list, char* const*);
  va_end(list);
  return exec_with([&] { return real_execve(path, arguments, environment); }, HEDDLE_CALLER);
}

// libc starts the program without our fork; it only must not inherit the pin.
HEDDLE_EXPORT FILE* popen(const char* command, const char* mode) {
  const Inheritable during;
  controlled::note_child();
  return real_popen(command, mode);
}

HEDDLE_EXPORT int dlclose(void* handle) noexcept {
  const int result = real_dlclose(handle);
  forget_modules();
  return result;
}
