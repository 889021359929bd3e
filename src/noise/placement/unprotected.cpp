#include "noise/placement/unprotected.h"

#include "noise/learn_table.h"
#include "noise/variable.h"

namespace heddle {
namespace {

// May block, or may turn out in more than one way.
constexpr bool is_visible(EventKind kind) {
  switch (kind) {
    case EventKind::thread_join:
    case EventKind::thread_cancel:
    case EventKind::cond_wait:
    case EventKind::cond_timedwait:
    case EventKind::cond_signal:
    case EventKind::barrier_wait:
    case EventKind::sem_wait:
    case EventKind::sem_trywait:
    case EventKind::sem_timedwait:
    case EventKind::once:
    case EventKind::futex_wait:
    case EventKind::futex_wake:
      return true;
    default:
      return is_acquire(kind);
  }
}

class Unprotected final : public Placement {
 public:
  void begin_run(const NoiseSettings&, Prng&) override { variables_.clear(); }

  void observe(const Event& event, ThreadNoise& thread) override {
    thread.locks.note(event);
    if (event.phase != EventPhase::before || !is_access(event.kind)) return;
    Variable* variable = variables_.find_or_add(variable_of(event));
    if (variable == nullptr || variable->unprotected.load() != 0) return;
    if (!variable->lock.take()) return;
    classify(*variable, event, thread.locks);
    variable->lock.give();
  }

  bool wants(const Event& event, ThreadNoise&, Prng&) override {
    if (event.phase != EventPhase::before) return false;
    if (!is_access(event.kind)) return is_visible(event.kind);
    const Variable* variable = variables_.find(variable_of(event));
    return variable != nullptr && variable->unprotected.load() != 0;
  }

  void learn(const NoiseLesson& lesson) override {
    if (lesson.kind != LessonKind::unprotected) return;
    if (Variable* variable = variables_.find_or_add(lesson.first)) variable->unprotected.store(1);
  }

  std::size_t teach(std::span<NoiseLesson> lessons) const override {
    std::size_t count = 0;
    variables_.for_each([&](std::uint64_t object, const Variable& variable) {
      if (variable.unprotected.load() == 0) return;
      if (count < lessons.size()) lessons[count] = {LessonKind::unprotected, object, 0};
      ++count;
    });
    return count;
  }

 private:
  static constexpr unsigned kLocksKept = 4;

  struct Variable {
    Relaxed<std::uint8_t> unprotected;
    TryLock lock;  // for what follows
    bool shared;
    bool written;         // since it is shared
    std::uint32_t owner;  // thread plus one; 0: nobody
    std::uint32_t
        guards;  // how many of the locks below were held at every access since it is shared
    std::uint64_t locks[kLocksKept];
  };

  static bool guards(const HeldLock& lock, const Event& event) {
    return lock.exclusive || !is_memory_write(event.kind);
  }

  static void classify(Variable& variable, const Event& event, const HeldLocks& held) {
    const std::uint32_t me = std::uint32_t{event.thread.value} + 1;
    if (!variable.shared) {
      if (variable.owner == 0) variable.owner = me;
      if (variable.owner == me) return;
      variable.shared = true;
      for (const HeldLock& lock : held) {
        if (variable.guards < kLocksKept && guards(lock, event)) {
          variable.locks[variable.guards++] = lock.object;
        }
      }
    } else {
      std::uint32_t kept = 0;
      for (std::uint32_t i = 0; i < variable.guards; ++i) {
        const HeldLock* lock = held.find(variable.locks[i]);
        if (lock != nullptr && guards(*lock, event)) variable.locks[kept++] = variable.locks[i];
      }
      variable.guards = kept;
    }
    variable.written = variable.written || is_memory_write(event.kind);
    if (variable.written && variable.guards == 0) variable.unprotected.store(1);
  }

  // Beside the object, which has a vtable pointer and so is written to disk: these are zeros and
  // are not.
  static constinit inline LearnTable<Variable, 1 << 14> variables_ = {};
};

constinit Unprotected instance;

}  // namespace

Placement& unprotected_placement() { return instance; }

}  // namespace heddle
