#include "runtime/controlled/waiters.h"

namespace heddle::controlled {

std::size_t collect_waiters(const void* object, bool (*ready)(const Task&), ThreadId* waiters) {
  const Engine& engine = g_engine;
  std::size_t count = 0;
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    const Task& task = engine.tasks[i];
    if (task.state != TaskState::live || task.ready != ready || task.wait_object != object ||
        task.notified) {
      continue;
    }
    std::size_t at = count++;
    for (; at > 0 && engine.tasks[waiters[at - 1].value].queued > task.queued; --at) {
      waiters[at] = waiters[at - 1];
    }
    waiters[at] = task.id;
  }
  return count;
}

}  // namespace heddle::controlled
