// Signals that threads of the program send to each other. The kernel would run the handler in the other thread beside whoever has
// control, at a moment of its own. So a signal waits in the engine until that thread has its turn, and is handed to the kernel then, by
// the thread itself: the handler runs under control, at a point like any other, and whether the wait it came into goes on
// afterwards is the same as without us.
#pragma once

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// Of a thread that has control and for which signals wait: its handlers run now. Returns whether one of them ends a wait
// of that kind. What the thread was about to do has to be stated again.
bool take_signals(Task& self, Interruption interruption);

}  // namespace heddle::controlled
