// What the free engine shows to the detectors, and when. Threads really run in parallel, so an event is shown while nobody
// can yet see its effect: what releases before the real operation, what acquires after it, an atomic together with it.
// Call only while g_detecting.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "runtime/free_engine.h"

namespace heddle::runtime {

// Everything but plain accesses and atomics; decides by kind whether this is the phase to show.
void free_detect(ThreadState& thread, const Occurrence& occurrence, EventPhase phase,
                 std::int16_t result);

void free_detect_access(ThreadState& thread, const Occurrence& occurrence, EventPhase phase);

// The real operation goes between the two; what the first returns goes to the second.
bool free_detect_atomic_begin(ThreadState& thread, const Occurrence& occurrence);
void free_detect_atomic_end(ThreadState& thread, const Occurrence& occurrence, std::uint64_t value,
                            bool stored, bool held);

// Memory that is somebody's afresh: a heap block, a stack.
void free_detect_fresh(ThreadState& thread, const void* start, std::size_t size);

// Who is behind a handle, or was: known from the thread's start or from its creator's return, whichever comes first, until
// libc gives the handle to another thread.
void note_handle(ThreadId thread, pthread_t handle);
ThreadId thread_of_handle(pthread_t handle);

// pthread_once does not say whether the routine ran in this call: run through here, it does.
using OnceRoutine = void (*)();
OnceRoutine once_routine(OnceRoutine routine, const void* control, void* caller);
// Such a routine may end by an exception, which nobody can be told of from inside libc. So all that the thread has done is told
// when it throws, and again whenever it goes on to unwind (destructors have run by then). `frame`: of who catches it.
void once_unwinds();
void once_caught(const void* frame);

}  // namespace heddle::runtime
