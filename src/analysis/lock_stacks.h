// Which locks each thread holds now, in the order in which it took them. Threads may show their own events at the same time.
#pragma once

#include <cstdint>

#include "analysis/effect.h"
#include "base/arena.h"
#include "base/fixed_vector.h"
#include "base/per_thread.h"
#include "contract/control_block.h"

namespace heddle {

enum class LockMode : std::uint8_t { exclusive, shared };

struct TakenLock {
  std::uint64_t lock;
  SiteId site;  // where it was taken
  std::uint64_t step;
  std::uint32_t count;  // of a recursive lock, or of a reader that came again
  LockMode mode;
  EventKind how;  // it was taken
};

class LockStacks {
 public:
  static constexpr std::size_t kMost = 64;  // per thread; more are counted and not known
  using Stack = FixedVector<TakenLock, kMost>;

  constexpr LockStacks() = default;

  void begin_run(Arena& arena);
  // Call after detectors have seen the event: they ask what was held when it came.
  void on(const Event& event);

  // What on() does with a lock that is taken, and with one that is given back. False: the stack stays as it was.
  bool take(ThreadId thread, const TakenLock& lock);
  bool give(ThreadId thread, std::uint64_t lock);

  const Stack& of(ThreadId thread) const {
    const Thread* const known = threads_.find(thread.value);
    return known == nullptr ? kNothing : known->held;
  }
  const TakenLock* find(ThreadId thread, std::uint64_t lock) const;
  // The thread holds locks that found no room: what is not in its stack may be held all the same.
  bool incomplete(ThreadId thread) const {
    const Thread* const known = threads_.find(thread.value);
    return known == nullptr ? refused_ : known->unknown != 0;
  }
  std::uint64_t dropped() const { return __atomic_load_n(&dropped_, __ATOMIC_RELAXED); }

 private:
  void drop() { __atomic_fetch_add(&dropped_, 1, __ATOMIC_RELAXED); }

  static constexpr Stack kNothing = {};

  struct Thread {
    Stack held;
    std::uint32_t unknown = 0;  // taken and not in the stack
  };

  std::uint64_t dropped_ = 0;
  bool refused_ = false;                        // there was no memory for some thread
  MadePerThread<Thread, kMaxThreads> threads_;  // made when one first takes a lock
};

}  // namespace heddle
