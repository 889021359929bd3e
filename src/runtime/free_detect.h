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

// After the real operation, with which it is one step, between hold_detectors() and let_detectors_go().
void free_detect_atomic(ThreadState& thread, const Occurrence& occurrence, std::uint64_t value,
                        bool stored);

// While detects_alone(): the short way for a mutex that was taken, or is about to be given back. False: it has to go the long
// way, by events.
bool free_detect_mutex_taken(ThreadState& thread, const pthread_mutex_t& mutex, void* caller);
bool free_detect_mutex_given(ThreadState& thread, const pthread_mutex_t& mutex);

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
