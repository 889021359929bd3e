// Eraser's state of a variable, and the locks that may guard it.
//
// After Savage et al.: Eraser: A Dynamic Data Race Detector for Multithreaded Programs (TOCS 1997), with the state exclusive'
// that lets a variable be handed from the thread that made it to one other:
//
//   virgin -> exclusive (its first thread) -> exclusive' (its second) -> shared (read) or modified (written) -> race
#pragma once

#include "analysis/effect.h"
#include "analysis/lock_stacks.h"

namespace heddle {

// Stored in coverage features by number: append only.
enum class EraserPhase : std::uint8_t {
  virgin,
  exclusive,
  exclusive_prime,
  shared,
  modified,
  race
};

struct EraserVariable {
  static constexpr std::size_t kLocks = 6;  // more are not needed to find one in common

  std::uint64_t locks[kLocks];
  ThreadId owner;
  EraserPhase phase;
  std::uint8_t lock_count;
  bool written;
};

inline bool guards(const TakenLock& lock, bool writes) {
  return lock.mode == LockMode::exclusive || !writes;
}

inline void eraser_take_all(EraserVariable& variable, const LockStacks::Stack& held, bool writes) {
  variable.lock_count = 0;
  for (const TakenLock& lock : held) {
    if (!guards(lock, writes) || variable.lock_count == EraserVariable::kLocks) continue;
    variable.locks[variable.lock_count++] = lock.lock;
  }
}

inline void eraser_intersect(EraserVariable& variable, const LockStacks::Stack& held, bool writes) {
  std::uint8_t kept = 0;
  for (std::uint8_t i = 0; i < variable.lock_count; ++i) {
    for (const TakenLock& lock : held) {
      if (lock.lock != variable.locks[i] || !guards(lock, writes)) continue;
      variable.locks[kept++] = variable.locks[i];
      break;
    }
  }
  variable.lock_count = kept;
}

// The access happens: the variable is in its new phase afterwards.
inline void eraser_use(EraserVariable& variable, ThreadId thread, bool writes,
                       const LockStacks::Stack& held) {
  switch (variable.phase) {
    case EraserPhase::virgin:
      variable.phase = EraserPhase::exclusive;
      variable.owner = thread;
      return;
    case EraserPhase::exclusive:
      if (thread == variable.owner) return;
      variable.phase = EraserPhase::exclusive_prime;
      variable.owner = thread;
      variable.written = writes;  // what the first one wrote was handed over
      eraser_take_all(variable, held, writes);
      return;
    case EraserPhase::exclusive_prime:
      eraser_intersect(variable, held, writes);
      variable.written = variable.written || writes;
      if (thread == variable.owner) return;
      variable.phase = variable.written ? EraserPhase::modified : EraserPhase::shared;
      break;
    case EraserPhase::shared:
      eraser_intersect(variable, held, writes);
      if (writes) variable.phase = EraserPhase::modified;
      break;
    case EraserPhase::modified:
      eraser_intersect(variable, held, writes);
      break;
    case EraserPhase::race:
      return;
  }
  if (variable.phase == EraserPhase::modified && variable.lock_count == 0) {
    variable.phase = EraserPhase::race;
  }
}

}  // namespace heddle
