// Messages without a connection to a local socket: the kernel waits while the receiver's queue is full, which poll does not tell of.
#pragma once

#include <sys/socket.h>

#include "runtime/blocking.h"

namespace heddle::runtime {

// In a controlled run, a message with that address may have to wait so. Leaves errno alone.
bool may_wait_for_receiver(int socket, const sockaddr* address, int flags);
// Sends it; waits inside the engine until there is room.
ssize_t send_to_receiver(const DescriptorUse& use, const msghdr& message, int flags);
// A thread has read from a descriptor: somebody may wait for the room that it made.
void note_received();

}  // namespace heddle::runtime
