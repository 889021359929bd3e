// Timers that are descriptors (timerfd) on virtual time. The program's descriptor is an event counter, which reads, polls and
// blocks like a timer's; the engine counts up when virtual time has come.
#pragma once

#include <time.h>

#include <cstdint>

namespace heddle::controlled {

// `descriptor` is a timer that was just made; an event counter takes its place. False if it stays the kernel's.
bool adopt_timer_descriptor(int descriptor, clockid_t clock, int flags);

bool is_timer_descriptor(int descriptor);
// 0, an errno value, or -1 if it is not one of ours.
int set_timer_descriptor(int descriptor, int flags, const itimerspec& time, itimerspec* old);
int ask_timer_descriptor(int descriptor, itimerspec* time);

// What is due counts up. Cheap where nothing is.
void run_timer_descriptors();
// When the next one is due that somebody may wait for, kNever if none: one that was not read since it last ran out is ready.
std::uint64_t next_timer_descriptor();

// In a forked child they go on as timers of the kernel's.
void release_timer_descriptors();

}  // namespace heddle::controlled
