// Threads that wait inside the engine for what the world outside may bring: descriptors, signals, room in a queue.
#pragma once

#include <cstdint>

#include "runtime/controlled/engine.h"
#include "runtime/controlled/operations.h"

namespace heddle::controlled {

struct WorldWaits {
  std::uint32_t descriptors;  // threads that wait for one
  std::uint32_t signals;
  std::uint32_t rooms;  // threads that wait for room in the queue of a listener
  std::uint32_t
      sleeps;  // threads that sleep, in real time, until they ask a child again (real_time.h)
  std::uint64_t rooms_made;  // how often there may have been some since
};
extern WorldWaits g_world_waits;

ObjectId descriptor_name(int descriptor);

// A thread is about to use what has that name, and who does so first may matter.
void use_named(ObjectId name, Transfer transfer, Caller caller);
// Parks the calling thread until the intent is ready; `waiters` counts it meanwhile.
enum class Cancellable : bool { no, yes };
WaitEnd wait_inside(Intent intent, std::int64_t timeout_ns, std::uint32_t& waiters,
                    Cancellable cancellable = Cancellable::yes);
// It is one of these waits no longer, however it has left it.
void begin_world_wait(Task& self, std::uint32_t& waiters);
void end_world_wait(Task& self);
bool waits_for_semaphores(const Task& task);

// Its wait_value is then the descriptor, shifted by 16, and poll's events.
bool waits_for_descriptor(const Task& task);

bool waits_for_room(const Task& task);
// Only our own threads take from the queue that it waits for.
bool waits_for_own_room(const Task& task);
// By whoever has control, while nobody else can go on: tries again for all who wait. True if one of them need not wait any more.
bool ask_for_room();

// Sent to the thread or the process, and blocked by it, a bit each.
std::uint64_t pending_signals(const Task& task);
// It takes signals itself (sigwait), this one among them.
bool waits_for_signal(const Task& task, int signal);
bool blocks_signal(Task& task, int signal);

}  // namespace heddle::controlled
