// Signals that threads of the program, or its timers, send to threads. The kernel would run the handler in the other thread beside whoever has
// control, at a moment of its own. So a signal waits in the engine until that thread has its turn, and is handed to the kernel then, by
// the thread itself: the handler runs under control, at a point like any other, and whether the wait it came into goes on
// afterwards is the same as without us.
#pragma once

#include <signal.h>

#include <cstdint>

#include "runtime/controlled/engine.h"

namespace heddle::controlled {

// The program has one. `action` is then how it was installed.
bool has_handler(int signal, struct sigaction* action);
// By the calling thread, a bit each.
std::uint64_t blocked_by_self();

// Sent by other threads, or by timers, and not yet taken.
inline bool has_signals(const Task& task) {
  return (task.signals | task.expiries | task.queued_signals) != 0;
}

// Of a thread that has control and for which signals wait: its handlers run now. Returns whether one of them ends a wait
// of that kind. What the thread was about to do has to be stated again.
bool take_signals(Task& self, Interruption interruption);

// A thread has ended: others take what waits for it and was sent to the process.
void pass_signals_on(Task& ended);

}  // namespace heddle::controlled
