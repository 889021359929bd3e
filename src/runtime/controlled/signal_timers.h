// Timers that end in a signal or call a function (alarm, setitimer, timer_settime) on virtual time. While the signal has a handler, or the thread that
// sets the timer has blocked it, the engine holds the timer: when virtual time has come, the signal goes to a thread that takes it
// at its next turn, as those that threads send to each other (signals.h). Without a handler it would end the program, and virtual
// time may go far in no time at all: such a timer is the kernel's, in real time, until there is a handler. For functions see
// timer_functions.h.
#pragma once

#include <signal.h>
#include <time.h>

#include <cstdint>

#include "runtime/controlled/task.h"

namespace heddle::controlled {

// Whether one that is about to be made will be ours. If not it stays the kernel's: it counts processor time, is for a thread that
// we do not know, or there are too many.
bool takes_signal_timer(clockid_t clock, const sigevent* event);
// It was made; for the kernel one that calls a function does nothing at all.
void adopt_signal_timer(timer_t timer, clockid_t clock, const sigevent* event);
void forget_signal_timer(timer_t timer);
// 0, an errno value, or -1 if it is not one of ours.
int set_signal_timer(timer_t timer, int flags, const itimerspec& time, itimerspec* old);
int ask_signal_timer(timer_t timer, itimerspec* time);
// -1: the kernel knows.
int signal_timer_overrun(timer_t timer);
// What it ends in, with libc's own for a function; 0 if that is nothing, or the timer is not one of ours.
int signal_of_timer(timer_t timer);

// The one timer of the process, ITIMER_REAL, whichever call sets it. 0 or an errno value.
int set_alarm(const itimerspec& time, itimerspec* old);
itimerspec ask_alarm();

// What is due goes off. Cheap where nothing is.
void run_signal_timers();
// When the next one is due that may wake somebody, kNever if none: not one whose last signal nobody has taken, nor any when
// handlers have run again and again with no effect.
std::uint64_t next_signal_timer();

// By the receiver, when it has its turn: the first signal of a timer that waits for it. False if there is none.
bool take_expiry(Task& self, siginfo_t* info);

// A thread has ended: who else may takes what waits for it.
void pass_expiries_on(const Task& ended);

// Functions that timers call.
struct TimerCall {
  void (*function)(sigval);
  sigval value;
};
bool call_is_due();
bool take_call(TimerCall* call);

// Somebody waits for some signals, a bit each: their timers are the engine's from now on.
void take_timers_over(std::uint64_t signals);

bool has_signal_timers();
// That much virtual time has passed in which they stood still.
void postpone_signal_timers(std::uint64_t nanoseconds);

// In a forked child, which inherits none.
void forget_signal_timers();

}  // namespace heddle::controlled
