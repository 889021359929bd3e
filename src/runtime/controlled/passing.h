// Control passes to a forked child. Test frameworks run each test in a process of its own, and that is where its threads are.
//
// The child goes on under control if its parent does nothing until it has ended: when it forks it has one thread and no other
// child, and the next thing for which it waits is a child's end. Until that is known the child waits, inside fork; else it is on its
// own, as other children are. It has the engine as it was at the fork, and goes on in the same run: in the same control block, with
// the next step and the next thread's number. When it has ended the parent goes on from there
// (docs/decisions/0023-control-passes-to-a-child.md).
#pragma once

#include <sys/types.h>

#include "runtime/controlled/task.h"

namespace heddle::controlled {

// By the thread that forks, which has control: before, and after.
void consider_passing(const Task& self);
void begin_passing(pid_t child);

// The parent does something else than wait for the child. Cheap where there is no child to tell.
extern bool g_passing_undecided;
void refuse_child();
inline void do_without_passing() {
  if (g_passing_undecided) [[unlikely]]
    refuse_child();
}

// The process of which the control block tells at present.
pid_t process_in_control();

// This one is a child, and a timer may call its parent out of the wait.
bool parent_may_act();

// By the child in control, as it ends.
void leave_word();

}  // namespace heddle::controlled
