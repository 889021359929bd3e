#include "campaign/run_clock.h"

#include <time.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>

#include "campaign/process_tree.h"

namespace heddle::campaign {

namespace {

using std::chrono::nanoseconds;

nanoseconds processor_time(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + nanoseconds(used.tv_nsec);
}

bool any_runnable(pid_t process) {
  std::error_code none;
  const std::string tasks = "/proc/" + std::to_string(process) + "/task";
  for (const auto& task : std::filesystem::directory_iterator(tasks, none)) {
    const std::string name = task.path().filename();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (thread_state(process, thread) == 'R') return true;
  }
  return false;
}

}  // namespace

RunSight look_at(const ControlBlock& control) {
  const pid_t process = __atomic_load_n(&control.run_process, __ATOMIC_ACQUIRE);
  if (process == 0) return {.started = false};
  RunSight sight{.wants_processor = any_runnable(process), .used = processor_time(process)};
  // A child to which control has passed works while its parent waits.
  const pid_t child = __atomic_load_n(&control.process_in_control, __ATOMIC_ACQUIRE);
  if (child != 0) {
    sight.wants_processor = sight.wants_processor || any_runnable(child);
    sight.used += processor_time(child);
  }
  return sight;
}

RunClock::Time RunClock::add(Time now, const RunSight& sight) {
  nanoseconds counts = std::min<nanoseconds>(now - last_, kMost);
  const nanoseconds used = std::max(sight.used - used_, nanoseconds{});  // a child may be gone
  const Time since = asked_ == 1 ? begin_ : last_;  // the first look tells of all before it
  wanting_ = sight.wants_processor ? wanting_ + 1 : 0;
  // One that waits looks around now and then, and may just be doing so; one that is kept from working wants to all the time.
  if (wanting_ >= kKeptFromWork || kFairShare * used > now - since) last_work_ = now;
  if (!sight.started) counts = {};
  if (sight.wants_processor) counts = std::min(counts, kFairShare * used);
  last_ = now;
  used_ = sight.used;
  counted_ = std::max<nanoseconds>(counted_ + counts, (now - begin_) / kPatience);
  return begin_ + counted_;
}

}  // namespace heddle::campaign
