// Noise on virtual time: the same heuristics as in the free engine (src/noise), but a delay costs nothing and replays
// exactly: what noise does follows from the plan's seed, so a replay disturbs in the same places.
#pragma once

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// Once per run; nothing happens if the plan asks for no noise.
void begin_noise();
// In each thread of the run, main included, before its first event.
void begin_noise_thread();
// Once, when the run ends by itself or by our verdict: what it taught goes to the control block.
void end_noise();

// Asks noise about the event `self` is about to do (or has done, with that result), and carries out what it wants.
// Nothing while an operation goes on (Intent::goes_on).
void disturb(Task& self, const Operation& intent, EventPhase phase, std::int16_t result = 0);
// The end of an operation in several parts, whose commit was in the middle.
void disturb_after(Task& self, const Operation& whole);
// What the thread called or left, before the event that comes next: for placements that follow calls.
void show_call(Task& self, EventKind kind, SiteId call_site);
// An access that is no scheduling point is a place for noise all the same. Placements that learn from what they see are not
// shown what a thread has for itself; those that take every place alike are.
bool disturbs_in_passing();
bool disturbs_private_accesses();
void disturb_in_passing(Task& self, const Operation& access, EventPhase phase);

// The program yields: whoever noise holds is held for less long.
void shorten_holds();

// timeoutTamper: may bring the deadline of a timed operation nearer. No program can tell: when it passes the clock says
// that all of the time has gone by, as if the others had stalled. So it is bounded as stalls are.
void tamper(Task& self, Intent& intent);
// A timed operation of `task` is over because its time is up.
void keep_clock_honest(Task& task);

}  // namespace heddle::controlled
