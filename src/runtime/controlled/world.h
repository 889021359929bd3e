// Who but our own threads and timers may make a thread able to run: other processes through memory they share with us. While somebody may, that nothing can run is no deadlock.
#pragma once

#include <sys/socket.h>

#include <cstdint>

#include "contract/descriptor_kind.h"
#include "runtime/controlled/engine.h"

namespace heddle::controlled {

std::uint64_t real_now();

// The object lies in memory that is mapped to be shared, whether another process has it or not.
bool is_shared_memory(const void* object);
// The object lies in memory that another process may have too: one we started, or any that opens the same file.
bool others_share(const void* object);
// Memory without a name that the program shares with the children it has. A look at all mappings, where there are children.
bool children_have_memory();
// The program has queues of work (io_uring, Linux's aio) that the kernel does by itself, and then writes to memory or signals an
// eventfd. A look at all mappings.
bool kernel_works_for_program();

// A thread waits for what another process may give it, or there are timers that nobody looks after.
bool world_may_act();
// Threads that the engine does not know, as libc makes some for itself. Costs some system calls.
bool has_unseen_threads();
// A signal may run a function of the program's. Costs many system calls.
bool handles_signals();
// A thread waits for an object that says it is for several processes. Cheap: it may still be ours alone.
bool waits_for_shared();

// What the program has open before its first instruction is shared with others.
void note_inherited_descriptors();
DescriptorKind kind_of(int descriptor);
// A local socket of ours listens at the address, and no other process had it before us. False for a path: the file may be
// another listener's by now.
bool is_own_listener(const sockaddr* address, socklen_t length);

// No process and no thread but those the engine knows, and no handler that a signal from outside may run: if all of them wait
// for each other, for ever. Costs some system calls.
bool nobody_else_acts();

// Only our own threads can make it ready: pipes and event counters that a process without children made, a timer that is not
// set, a set of such.
bool internal_descriptor(int descriptor);
// The world outside makes it ready in its own time. A socket does not count: most often a thread of the program is behind it.
bool outsiders_descriptor(int descriptor);
// The same by what is known of children: while some may act, all descriptors are theirs, too.
bool outsiders_descriptor(int descriptor, bool children);

}  // namespace heddle::controlled
