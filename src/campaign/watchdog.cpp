#include "campaign/watchdog.h"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "campaign/process_tree.h"

namespace heddle::campaign {

namespace {

template <class T>
T load(const T& shared) {
  return __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
}

bool send(pid_t process, pid_t thread, int value) {
  siginfo_t info{};
  info.si_signo = kWatchdogSignal;
  info.si_code = SI_QUEUE;
  info.si_value.sival_int = value;
  return syscall(SYS_rt_tgsigqueueinfo, process, thread, kWatchdogSignal, &info) == 0;
}

}  // namespace

Watchdog::Watchdog(ControlBlock& control, Time now, std::chrono::nanoseconds work_patience)
    : control_(control),
      work_patience_(work_patience),
      last_progress_(load(control.progress)),
      last_change_(now) {}

std::chrono::nanoseconds Watchdog::patience_with_work(bool sees_accesses,
                                                      std::chrono::nanoseconds timeout) {
  if (!sees_accesses) return kPatienceWithWork;
  return std::max<std::chrono::nanoseconds>(std::chrono::seconds(1), timeout / 4);
}

bool Watchdog::awaits_timer(Time now) const {
  const std::uint32_t length = load(control_.timer_ms);
  const auto worked = now - last_change_;
  return length != 0 && worked >= kPatienceWithWork && worked >= std::chrono::milliseconds(length);
}

// A thread that works may have been in our own code when it was asked, where nothing can be taken from it.
bool Watchdog::tries_again() const {
  return tries_ > 0 && tries_ < kMostTries &&
         load(control_.outcome.watchdog_handovers) == handovers_;
}

bool Watchdog::look(Time now) {
  const std::uint64_t progress = load(control_.progress);
  if (progress != last_progress_) {
    last_progress_ = progress;
    last_change_ = now;
    tries_ = 0;
    return false;
  }
  const bool again = tries_again();
  if (!again) tries_ = 0;
  if (!again && now - last_change_ < kPatience) return false;
  const std::uint32_t thread = load(control_.running_tid);
  const pid_t child = load(control_.process_in_control);
  const pid_t process = child != 0 ? child : load(control_.run_process);
  if (thread == 0 || process == 0) return false;
  const char state = thread_state(process, static_cast<pid_t>(thread));
  const bool sleeps = state == 'S' || state == 'D';
  const bool worked = again || awaits_timer(now) || now - last_change_ >= work_patience_;
  if (!sleeps && !worked) return false;
  // It may have reached a scheduling point and parked since: progress says so.
  if (load(control_.progress) != progress || load(control_.running_tid) != thread) return false;
  last_change_ = now;
  handovers_ = load(control_.outcome.watchdog_handovers);
  tries_ = sleeps ? 0 : tries_ + 1;
  return send(process, static_cast<pid_t>(thread), sleeps ? 0 : kWatchdogWorks);
}

}  // namespace heddle::campaign
