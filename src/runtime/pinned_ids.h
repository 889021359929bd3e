// The numbers of the process and its threads, the same in every run where they decide what the program does
// (decision 0022): the plan of such a run says so. They are above all that the kernel gives away, so that one that reaches
// the kernel as it is names nobody.
#pragma once

#include <sys/types.h>

#include "contract/ids.h"

namespace heddle::runtime {

// Of the run that begins, by its first thread. A forked child still knows what its parent was told.
void begin_pinned_ids();
void note_pinned_thread(ThreadId thread, pid_t real);

// What the program is told instead of what the kernel says. Numbers of others stay as they are.
pid_t told_process(pid_t real);
pid_t told_thread(ThreadId thread, pid_t real);  // a thread of the run
pid_t told_calling_thread();
// The other way, where the program names a process, a thread or (by a negative number) a group.
pid_t real_id(pid_t told);

// Without libc and without being told.
pid_t own_process();

// The program asks who it is.
void note_asked_ids();

}  // namespace heddle::runtime
