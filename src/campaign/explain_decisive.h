// The two events whose order made a run fail, where its verdict tells: who waits for whom, and what nobody changed any more.
#pragma once

#include <vector>

#include "campaign/explain_events.h"

namespace heddle::campaign {

// Each answers the two in the order in which they came, or nothing where the verdict does not tell.
std::vector<DecisiveEvent> decisive_of_deadlock(ExplainedEvents& events);
std::vector<DecisiveEvent> decisive_of_lost_wakeup(ExplainedEvents& events);
std::vector<DecisiveEvent> decisive_of_livelock(ExplainedEvents& events);
std::vector<DecisiveEvent> decisive_of_teardown(ExplainedEvents& events);
// The last wake-up or token that another thread gave to what a thread waits for rightly.
std::vector<DecisiveEvent> decisive_of_wait(ExplainedEvents& events);

}  // namespace heddle::campaign
