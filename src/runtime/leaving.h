// The end of a run, told before the kernel has taken its memory down: the next run need not wait for that.
//
// Only where the process leaves nothing behind that another could meet: no descriptor of its own (a socket's address, a lock on a
// file), no child, nothing the kernel undoes at its end. The kernel itself tells: it wakes who waits for a futex word that the
// thread was about to take when it died (robust futexes), which is the last it does before it takes the memory down.
#pragma once

namespace heddle::runtime {

// In the fork server, when it has none of its own: descriptors that are open now are every run's.
void note_descriptors_of_server();

// The kernel will undo something when the process ends.
void leave_something_to_undo();

// By the thread that ends the process, as its last step.
void announce_end();

}  // namespace heddle::runtime
