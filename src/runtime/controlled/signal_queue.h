// Real-time signals, and others that carry a value, between their sending and the turn of the thread they go to (signals.h): each with
// what its handler is told. A plain signal is but a bit of that thread's.
#pragma once

#include <signal.h>

#include "runtime/controlled/task.h"

namespace heddle::controlled {

struct QueuedSignal {
  Task* receiver;
  bool of_process;  // it went to the whole process
  siginfo_t info;
};

// False if there is no room.
bool queue_signal(const QueuedSignal& signal);

// One of that number, sent to the same, waits for the thread.
bool is_queued(const Task& receiver, int signal, bool of_process);

// Who has such a signal of the process's, to pass it on; null: nobody.
Task* holder_of_queued(int signal);

// The number of the next that the thread takes, 0 if there is none: low numbers first, as the kernel does it.
int next_queued_signal(const Task& receiver);
// Of those with that number the one that was sent first.
QueuedSignal take_queued_signal(const Task& receiver, int signal);

// In a forked child, which inherits none.
void forget_signal_queue();

}  // namespace heddle::controlled
