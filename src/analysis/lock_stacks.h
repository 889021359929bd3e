// Which locks each thread holds now, in the order in which it took them.
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
};

class LockStacks {
 public:
  static constexpr std::size_t kMost = 64;  // per thread; more are counted and not known
  using Stack = FixedVector<TakenLock, kMost>;

  constexpr LockStacks() = default;

  void begin_run(Arena& arena);
  // Call after detectors have seen the event: they ask what was held when it came.
  void on(const Event& event);

  const Stack& of(ThreadId thread) const {
    const Stack* const held = held_.find(thread.value);
    return held == nullptr ? kNothing : *held;
  }
  const TakenLock* find(ThreadId thread, std::uint64_t lock) const;
  std::uint64_t dropped() const { return dropped_; }

 private:
  void take(const Event& event, std::uint64_t lock, LockMode mode);
  void give(ThreadId thread, std::uint64_t lock, bool whole);

  static constexpr Stack kNothing = {};

  std::uint64_t dropped_ = 0;
  MadePerThread<Stack, kMaxThreads> held_;  // made when a thread first takes a lock
};

}  // namespace heddle
