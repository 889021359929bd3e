#include "runtime/controlled/real_time.h"

#include "runtime/controlled/engine.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/outside.h"
#include "runtime/controlled/world.h"
#include "runtime/controlled/world_waits.h"

namespace heddle::controlled {

namespace {

// What a thread did about children since its last sleep, and where that was.
struct Asking {
  const void* slept_at;
  std::uint64_t events;  // its own, at the last sleep
  bool in_vain;
};
Asking g_asking[kMaxThreads];

std::uint64_t g_paced_at;  // real time; 0: not begun

// An operation that may find nothing and goes on.
bool only_looks(EventKind kind) {
  switch (kind) {
    case EventKind::mutex_trylock:
    case EventKind::rwlock_tryrdlock:
    case EventKind::rwlock_trywrlock:
    case EventKind::spin_trylock:
    case EventKind::sem_trywait:
    case EventKind::atomic_load:
    case EventKind::atomic_rmw:
    case EventKind::atomic_cas:
    case EventKind::read:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool somebody_acts_in_real_time() {
  const Engine& engine = g_engine;
  if (g_outside_count > 0 || engine.exempt_threads > 0 || g_world_waits.sleeps > 0 ||
      world_may_act()) {
    return true;
  }
  const bool child = child_runs();
  if (child && g_world_waits.signals > 0) return true;
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    const Task& task = engine.tasks[i];
    if (task.state != TaskState::live || task.ready == nullptr) continue;
    if (waits_for_descriptor(task) &&
        outsiders_descriptor(static_cast<int>(task.wait_value >> 16), child)) {
      return true;
    }
    if (child && waits_for_room(task)) return true;
  }
  return false;
}

std::uint64_t real_time_passed() {
  const std::uint64_t now = real_now();
  const std::uint64_t passed = g_paced_at == 0 ? 0 : now - g_paced_at;
  g_paced_at = now;
  return passed;
}

void end_of_pace() { g_paced_at = 0; }

void note_asked_in_vain() {
  if (g_engine.has_children) g_asking[current().id.value].in_vain = true;
}

bool sleeps_for_child(const Task& self, const void* caller) {
  if (!g_engine.has_children) return false;
  Asking& asking = g_asking[self.id.value];
  // A plain look at memory that only one of our threads uses is no event: the thread sleeps again at the same place, and did
  // nothing else meanwhile.
  const bool sleeps_again = asking.slept_at == caller && self.events == asking.events + 1;
  const bool in_vain = asking.in_vain;
  asking = {caller, self.events, false};
  if (!child_runs()) return false;
  return in_vain || (only_looks(self.pending.kind) && others_share(self.wait_object)) ||
         (sleeps_again && children_have_memory());
}

void begin_sleep_for_child(Task& self, Intent& intent) {
  intent.in_real_time = true;
  begin_world_wait(self, g_world_waits.sleeps);
}

bool release_from_real_time() {
  if (g_world_waits.sleeps == 0 || child_runs()) return false;
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    Task& task = g_engine.tasks[i];
    if (task.world_wait != &g_world_waits.sleeps) continue;
    task.real_until = 0;
    end_world_wait(task);
  }
  return true;
}

}  // namespace heddle::controlled
