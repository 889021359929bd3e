#include "campaign/watchdog.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "campaign/process_tree.h"

namespace heddle::campaign {

namespace {

template <class T>
T load(const T& shared) {
  return __atomic_load_n(&shared, __ATOMIC_ACQUIRE);
}

}  // namespace

Watchdog::Watchdog(ControlBlock& control, Time now)
    : control_(control), last_progress_(load(control.progress)), last_change_(now) {}

bool Watchdog::awaits_timer(Time now) const {
  const std::uint32_t length = load(control_.timer_ms);
  const auto worked = now - last_change_;
  return length != 0 && worked >= kPatienceWithWork && worked >= std::chrono::milliseconds(length);
}

bool Watchdog::look(Time now) {
  const std::uint64_t progress = load(control_.progress);
  if (progress != last_progress_) {
    last_progress_ = progress;
    last_change_ = now;
    return false;
  }
  if (now - last_change_ < kPatience) return false;
  const std::uint32_t thread = load(control_.running_tid);
  const pid_t process = load(control_.run_process);
  if (thread == 0 || process == 0) return false;
  const char state = thread_state(process, static_cast<pid_t>(thread));
  const bool sleeps = state == 'S' || state == 'D';
  if (!sleeps && !awaits_timer(now)) return false;
  // It may have reached a scheduling point and parked since: progress says so.
  if (load(control_.progress) != progress || load(control_.running_tid) != thread) return false;
  last_change_ = now;
  return syscall(SYS_tgkill, process, thread, kWatchdogSignal) == 0;
}

}  // namespace heddle::campaign
