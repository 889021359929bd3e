// What can be wrong with the use of a primitive: Finding::detail of kinds misuse and leak.
#pragma once

#include <cstdint>
#include <string_view>

namespace heddle {

// Stored: append only, never renumber.
enum class MisuseKind : std::uint64_t {
  none = 0,
  unlock_of_unlocked = 1,
  unlock_by_stranger = 2,
  destroy_while_held = 3,
  destroy_while_waited_for = 4,
  use_after_destroy = 5,
  wait_without_mutex = 6,
  wait_with_two_mutexes = 7,
  double_join = 8,
  join_of_detached = 9,
  held_at_thread_exit = 10,
  lock_twice = 11,
  thread_not_joined = 12,
  use_after_free = 13,
  freed_while_held = 14,
};

constexpr std::string_view misuse_text(MisuseKind kind) {
  switch (kind) {
    case MisuseKind::none:
      break;
    case MisuseKind::unlock_of_unlocked:
      return "a lock that nobody holds is unlocked";
    case MisuseKind::unlock_by_stranger:
      return "a lock is unlocked that another thread holds";
    case MisuseKind::destroy_while_held:
      return "a lock is destroyed while it is held";
    case MisuseKind::destroy_while_waited_for:
      return "a condition variable is destroyed while a thread waits for it";
    case MisuseKind::use_after_destroy:
      return "a destroyed object is used";
    case MisuseKind::wait_without_mutex:
      return "a condition is waited for without holding the mutex";
    case MisuseKind::wait_with_two_mutexes:
      return "a condition is waited for with two different mutexes at once";
    case MisuseKind::double_join:
      return "a thread is joined twice";
    case MisuseKind::join_of_detached:
      return "a detached thread is joined";
    case MisuseKind::held_at_thread_exit:
      return "a thread ends while it holds a lock";
    case MisuseKind::lock_twice:
      return "a lock is taken again by the thread that holds it";
    case MisuseKind::thread_not_joined:
      return "a thread is neither joined nor detached";
    case MisuseKind::use_after_free:
      return "an object in freed memory is used";
    case MisuseKind::freed_while_held:
      return "a lock is freed by the thread that holds it";
  }
  return "misuse";
}

}  // namespace heddle
