// Which engine drives this process. Ground rules of everything under runtime/:
//
//  - The program must not notice us: errno is preserved on every path, return values are POSIX's, nothing is
//    allocated through its malloc, nothing of libstdc++ is used, no file descriptor below 900 stays open.
//  - Entry points report, ask, forward. Policy lives in the engines.
//  - Nothing blocks in the kernel while holding control, except through leave_control().
//  - Our own limits never end the program: they are counted in RunOutcome and the program goes on.
#pragma once

#include "contract/control_block.h"
#include "contract/run_plan.h"

namespace heddle::runtime {

// Set once before main and again in a forked child (which becomes inactive). inactive: forward everything.
extern EngineKind g_engine;
extern Level g_level;

// Null while inactive.
extern ControlBlock* g_control;

inline bool inactive() { return __builtin_expect(g_engine == EngineKind::inactive, 0); }
inline bool controlled() { return g_engine == EngineKind::controlled; }

// The process will be controlled, and constructors of libraries run in it: what they draw is pinned, and their time is virtual. That ends
// with the first thread or child that one of them makes. Looks for the tool if nobody has yet: they may be called before our own
// constructor.
bool before_controlled_run();
void end_time_before_run();

}  // namespace heddle::runtime
