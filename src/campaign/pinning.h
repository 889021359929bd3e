// Whether the numbers of the process and its threads decide what the program does (a seed made of getpid). They are others in every
// run: where they decide, the same plan gives other events, unless they are pinned (decision 0022).
#pragma once

#include "campaign/crew.h"

namespace heddle::campaign {

// The first run of a campaign, and what it and some more like it say.
struct FirstRun {
  RunSlot slot;
  bool ids_decide = false;  // pin them: `slot` does not count then
};

// `work`: as of the round that the run belongs to; nothing is noted as finished. A program that does not ask for such numbers is run
// just as it would have been.
FirstRun first_run(Crew& crew, const Work& work, const RunInput& input);

}  // namespace heddle::campaign
