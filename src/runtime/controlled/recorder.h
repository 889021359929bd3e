// Decisions, written as they are made into the shared mapping: a crash loses nothing.
#pragma once

#include "contract/control_block.h"
#include "contract/decision.h"

namespace heddle::controlled {

// Stores a decision before it takes effect. What does not fit is counted: such a run cannot be replayed.
inline void record(ControlBlock& control, const Decision& decision) {
  RunOutcome& outcome = control.outcome;
  if (outcome.decision_count >= kDecisionCapacity) {
    ++outcome.decisions_dropped;
    return;
  }
  control.decisions[outcome.decision_count] = decision;
  __atomic_store_n(&outcome.decision_count, outcome.decision_count + 1, __ATOMIC_RELEASE);
}

}  // namespace heddle::controlled
