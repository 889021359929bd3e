#include <fmt/core.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "analysis/effect.h"
#include "contract/descriptor_kind.h"
#include "host/text.h"
#include "report/show_text.h"

namespace heddle::reports {

bool may_block(EventKind kind) {
  switch (kind) {
    case EventKind::thread_join:
    case EventKind::mutex_lock:
    case EventKind::mutex_timedlock:
    case EventKind::spin_lock:
    case EventKind::rwlock_rdlock:
    case EventKind::rwlock_timedrdlock:
    case EventKind::rwlock_wrlock:
    case EventKind::rwlock_timedwrlock:
    case EventKind::cond_wait:
    case EventKind::cond_timedwait:
    case EventKind::barrier_wait:
    case EventKind::sem_wait:
    case EventKind::sem_timedwait:
    case EventKind::once:
    case EventKind::futex_wait:
    case EventKind::blocking_call:
      return true;
    default:
      return false;
  }
}

std::string value_text(std::uint64_t value, unsigned size) {
  constexpr std::int64_t kSmall = 1'000'000'000;
  auto number = static_cast<std::int64_t>(value);
  if (size == 4) number = static_cast<std::int32_t>(value);
  if (number > -kSmall && number < kSmall) return fmt::format("{}", number);
  return fmt::format("{:#x}", value);
}

namespace {

std::string signal_name(std::uint64_t number) {
  const char* const name = sigabbrev_np(static_cast<int>(number));
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", number);
}

// With `%` for the object's name.
std::string_view pattern(const Event& event) {
  const bool done = event.result == 0 || event.result == EOWNERDEAD;  // locked all the same
  switch (event.kind) {
    case EventKind::thread_create:
      return "creates %";
    case EventKind::thread_start:
      return "starts";
    case EventKind::thread_exit:
      return "ends";
    case EventKind::thread_join:
      return done ? "joins %" : "does not join %";
    case EventKind::thread_detach:
      return "detaches %";
    case EventKind::thread_cancel:
      return "cancels %";
    case EventKind::mutex_init:
    case EventKind::rwlock_init:
    case EventKind::cond_init:
    case EventKind::barrier_init:
    case EventKind::sem_init:
      return "initialises %";
    case EventKind::mutex_destroy:
    case EventKind::rwlock_destroy:
    case EventKind::cond_destroy:
    case EventKind::barrier_destroy:
    case EventKind::sem_destroy:
      return "destroys %";
    case EventKind::mutex_lock:
      // The end of a condition wait: by its timeout, or by itself.
      if (done && event.argument == kLeftUnwoken) return "goes on unsignalled: locks %";
      return done ? "locks %" : "cannot lock %";
    case EventKind::spin_lock:
      return done ? "locks %" : "cannot lock %";
    case EventKind::mutex_trylock:
    case EventKind::spin_trylock:
      return done ? "tries %: locked" : "tries %: taken";
    case EventKind::mutex_timedlock:
      return done ? "locks %" : "gives up on %: timeout";
    case EventKind::mutex_unlock:
    case EventKind::spin_unlock:
    case EventKind::rwlock_unlock:
      return done ? "unlocks %" : "may not unlock %";
    case EventKind::rwlock_rdlock:
      return "locks % to read";
    case EventKind::rwlock_tryrdlock:
      return done ? "tries % to read: locked" : "tries % to read: taken";
    case EventKind::rwlock_timedrdlock:
      return done ? "locks % to read" : "gives up on %: timeout";
    case EventKind::rwlock_wrlock:
      return "locks % to write";
    case EventKind::rwlock_trywrlock:
      return done ? "tries % to write: locked" : "tries % to write: taken";
    case EventKind::rwlock_timedwrlock:
      return done ? "locks % to write" : "gives up on %: timeout";
    case EventKind::cond_wait:
    case EventKind::cond_timedwait:
      return "waits on %";
    case EventKind::cond_signal:
      return event.value == 0 ? "signals %: nobody waits" : "signals %";
    case EventKind::cond_broadcast:
      return event.value == 0 ? "wakes all on %: nobody waits" : "wakes all on %";
    case EventKind::barrier_wait:
      return "arrives at %";
    case EventKind::sem_wait:
      return done ? "takes from %" : "waits for %: a signal ends that";
    case EventKind::sem_trywait:
      return done ? "takes from %" : "tries %: empty";
    case EventKind::sem_timedwait:
      if (event.result == EINTR) return "waits for %: a signal ends that";
      return done ? "takes from %" : "gives up on %: timeout";
    case EventKind::sem_post:
      return "posts %";
    case EventKind::once:
      return event.value != 0 ? "runs once %" : "passes once %";
    case EventKind::futex_wait:
      return event.value != 0 ? "waits on %" : "need not wait on %";
    case EventKind::futex_wake:
      return event.value == 0 ? "wakes %: nobody waits" : "wakes %";
    case EventKind::futex_requeue:
      return "requeues %";
    case EventKind::yield:
      return "yields";
    case EventKind::clock_read:
      return "reads the clock";
    case EventKind::atomic_fence:
      return "fence";
    case EventKind::allocate:
      return "allocates %";
    case EventKind::fork:
      return "forks";
    case EventKind::exec:
      return "starts another program";
    case EventKind::process_exit:
      return "ends the program";
    case EventKind::blocking_call:
      if (event.object == ObjectId{}) return "makes a system call";
      if (event.result == EINTR) return "waits for %: a signal ends that";
      if (object_kind(event.object) == ObjectKind::descriptor &&
          descriptor_kind(event.object) == DescriptorKind::semaphores) {
        return event.argument != 0 ? "posts %" : "takes from %";
      }
      return event.argument != 0 ? "writes to %" : "reads from %";
    case EventKind::signal:
      return "handles !";
    case EventKind::signal_send:
      return "sends ! to %";
    case EventKind::read:
    case EventKind::vptr_read:
      return "reads %: #";
    case EventKind::write:
    case EventKind::vptr_write:
      return "% = #";
    case EventKind::read_write:
      return "changes % from #";
    case EventKind::read_range:
      return "reads @ bytes at %";
    case EventKind::freed:
      return "frees %";
    case EventKind::write_range:
      return "writes @ bytes at %";
    case EventKind::atomic_load:
      return "loads %: #";
    case EventKind::atomic_store:
      return "stores % = #";
    case EventKind::atomic_rmw:
      return "updates % to #";
    case EventKind::atomic_cas:
      return event.value == event.argument ? "compares %: #, leaves it" : "exchanges %: $ -> #";
    default:
      return "touches %";
  }
}

}  // namespace

std::string event_text(const Event& event, campaign::EventNames& names) {
  if (event.kind == EventKind::sleep) {
    return fmt::format("sleeps {}", show_duration(std::chrono::nanoseconds(event.argument)));
  }
  std::string text;
  for (const char c : pattern(event)) {
    if (c == '%') {
      text += names.object(event.object);
    } else if (c == '#') {
      text += value_text(event.value, event.size);
    } else if (c == '$') {
      text += value_text(event.argument, event.size);
    } else if (c == '!') {
      text += signal_name(event.argument);
    } else if (c == '@') {
      text += std::to_string(event.argument);
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace heddle::reports
