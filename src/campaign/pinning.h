// What decides what a program does although no schedule does, and can be pinned: whatever is other in every run would make the same plan
// give other events. Numbers of the process and its threads (a seed made of getpid) are pinned where they decide (decision 0022), the
// processor's time stamp counter where it is read (decision 0024).
#pragma once

#include <span>

#include "campaign/crew.h"

namespace heddle::campaign {

// The first run of a campaign, and what it and some more like it say.
struct FirstRun {
  RunSlot slot;
  std::uint32_t pins = 0;  // PlanFlags to add to all plans: `slot` does not count then
};

// `work`: as of the round that the run belongs to; nothing is noted as finished. A program that does not ask for such things is run
// just as it would have been.
FirstRun first_run(Crew& crew, const Work& work, const RunInput& input);

// Whether one of them has the instructions, or bytes that look like them. Those of the C and C++ runtimes do not count, nor does what
// cannot be read.
bool may_read_ticks(std::span<const ModuleRecord> modules);

}  // namespace heddle::campaign
