// Who the program is, and whom it names by number; see pinned_ids.h. Signals and processors have files of their own.
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/pinned_ids.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"

using namespace heddle::runtime;  // NOLINT: thin entry points

namespace {

HEDDLE_REAL Real<pid_t(pid_t)> real_getpgid{"getpgid"};
HEDDLE_REAL Real<pid_t(pid_t)> real_getsid{"getsid"};
HEDDLE_REAL Real<int(pid_t, pid_t)> real_setpgid{"setpgid"};
HEDDLE_REAL Real<int(pid_t, int)> real_killpg{"killpg"};
HEDDLE_REAL Real<int(pid_t, unsigned)> real_pidfd_open{"pidfd_open"};
HEDDLE_REAL Real<int(pid_t)> real_getscheduler{"sched_getscheduler"};
HEDDLE_REAL Real<int(pid_t, int, const sched_param*)> real_setscheduler{"sched_setscheduler"};
HEDDLE_REAL Real<int(pid_t, sched_param*)> real_getparam{"sched_getparam"};
HEDDLE_REAL Real<int(pid_t, const sched_param*)> real_setparam{"sched_setparam"};
HEDDLE_REAL Real<int(pid_t, timespec*)> real_interval{"sched_rr_get_interval"};
HEDDLE_REAL Real<int(__priority_which_t, id_t)> real_getpriority{"getpriority"};
HEDDLE_REAL Real<int(__priority_which_t, id_t, int)> real_setpriority{"setpriority"};

id_t whose(__priority_which_t which, id_t told) {
  return which == PRIO_USER ? told : static_cast<id_t>(real_id(static_cast<pid_t>(told)));
}

}  // namespace

HEDDLE_EXPORT pid_t getpid() noexcept {
  note_asked_ids();
  return told_process(own_process());
}
HEDDLE_EXPORT pid_t gettid() noexcept {
  note_asked_ids();
  return told_calling_thread();
}
// A forked child asks for the one that was told a number.
HEDDLE_EXPORT pid_t getppid() noexcept {
  return told_process(static_cast<pid_t>(raw_syscall(SYS_getppid)));
}

// The run leads a group of its own.
HEDDLE_EXPORT pid_t getpgrp() noexcept {
  note_asked_ids();
  return told_process(real_getpgid(0));
}
HEDDLE_EXPORT pid_t getpgid(pid_t process) noexcept {
  note_asked_ids();
  return told_process(real_getpgid(real_id(process)));
}
HEDDLE_EXPORT pid_t getsid(pid_t process) noexcept {
  return told_process(real_getsid(real_id(process)));
}
HEDDLE_EXPORT int setpgid(pid_t process, pid_t group) noexcept {
  return real_setpgid(real_id(process), real_id(group));
}

HEDDLE_EXPORT int killpg(pid_t group, int signal) noexcept {
  return real_killpg(real_id(group), signal);
}
HEDDLE_EXPORT int pidfd_open(pid_t process, unsigned flags) noexcept {
  return real_pidfd_open(real_id(process), flags);
}

HEDDLE_EXPORT int sched_getscheduler(pid_t thread) noexcept {
  return real_getscheduler(real_id(thread));
}
HEDDLE_EXPORT int sched_setscheduler(pid_t thread, int policy, const sched_param* with) noexcept {
  return real_setscheduler(real_id(thread), policy, with);
}
HEDDLE_EXPORT int sched_getparam(pid_t thread, sched_param* is) noexcept {
  return real_getparam(real_id(thread), is);
}
HEDDLE_EXPORT int sched_setparam(pid_t thread, const sched_param* shall_be) noexcept {
  return real_setparam(real_id(thread), shall_be);
}
HEDDLE_EXPORT int sched_rr_get_interval(pid_t thread, timespec* is) noexcept {
  return real_interval(real_id(thread), is);
}
HEDDLE_EXPORT int getpriority(__priority_which_t which, id_t who) noexcept {
  return real_getpriority(which, whose(which, who));
}
HEDDLE_EXPORT int setpriority(__priority_which_t which, id_t who, int nice) noexcept {
  return real_setpriority(which, whose(which, who), nice);
}
