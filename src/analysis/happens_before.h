// Who is ordered before whom: C++'s happens-before (with consume as acquire, and sequential consistency as
// acquire-release: a total order of seq_cst operations orders no plain access that these do not), and POSIX's
// guarantees for its primitives. The order is that of the run at hand.
//
// A thread's tick grows when it releases; an access is known by (thread, tick). Release sequences follow C++20: a
// store begins a new one, a read-modify-write continues the one it reads from. Fences are as [atomics.fences] says: a
// release fence lends its clock to later relaxed stores, an acquire fence collects what earlier relaxed loads saw.
//
// Where memory ends, order is over-estimated: races may be missed then, none is invented.
#pragma once

#include <cstdint>

#include "analysis/effect.h"
#include "analysis/vector_clock.h"
#include "base/arena.h"
#include "base/key_map.h"
#include "contract/control_block.h"

namespace heddle {

class HappensBefore {
 public:
  constexpr HappensBefore() = default;

  void begin_run(Arena& arena);

  // What the event learns from others, before detectors look at it; and what it tells others, after they have.
  void acquire_side(const Event& event);
  void release_side(const Event& event);

  std::uint32_t tick(ThreadId thread) const {
    return tick_of(threads_[thread.value].clock, thread.value);
  }
  const VectorClock& clock(ThreadId thread) const { return threads_[thread.value].clock; }
  bool ordered(ThreadId before, std::uint32_t tick, ThreadId now) const {
    return before == now || blind_ || tick <= tick_of(threads_[now.value].clock, before.value);
  }
  // Memory ended in a way that makes every answer "ordered".
  bool blind() const { return blind_; }

 private:
  struct ThreadOrder {
    VectorClock clock;
    VectorClock fence_acquire;  // from relaxed loads, for the next acquire fence
    VectorClock fence_release;  // by the last release fence, for relaxed stores
    std::uint32_t barrier_round;
  };
  struct SyncOrder {
    VectorClock released;  // what an acquirer learns; of a barrier: those who leave
    VectorClock
        second;  // of a reader-writer lock: what readers gave back; of a barrier: those who arrive
    std::uint32_t writer;  // of a reader-writer lock: who holds it exclusively, plus one
    std::uint32_t round;   // of a barrier
  };

  void begin(std::uint16_t thread);
  void advance(std::uint16_t thread);
  void must(bool stored);
  SyncOrder& object(std::uint64_t key);
  void learn(std::uint16_t thread, const VectorClock& from);
  void learn_from(std::uint16_t thread, std::uint64_t key);
  void tell(std::uint16_t thread, std::uint64_t key);
  void unlock_shared_lock(const Event& event);
  void load(const Event& event);
  void store(const Event& event);

  Arena* arena_ = nullptr;
  KeyMap<SyncOrder> objects_;
  SyncOrder overflow_ = {};  // of all objects that found no place
  bool blind_ = false;
  ThreadOrder threads_[kMaxThreads] = {};
};

}  // namespace heddle
