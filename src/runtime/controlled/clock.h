// Virtual time. Its zero is the start of the run; every clock of the program is an offset from it.
#pragma once

#include <time.h>

#include <cstdint>

namespace heddle::controlled {

// The clocks that a thread can sleep on and that timers run on; those that count processor time are not virtual.
constexpr bool is_virtual(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
         clock == CLOCK_TAI;
}
bool valid(const timespec& time);
std::uint64_t as_nanoseconds(const timespec& time);
timespec as_timespec(std::uint64_t nanoseconds);
// When that absolute time comes, in virtual nanoseconds; at once if it is past.
std::uint64_t virtual_deadline(clockid_t clock, const timespec& absolute);
std::uint64_t virtual_after(const timespec& relative);
// For a wait outside control: the time on the real clock that is as far away.
timespec real_deadline(clockid_t clock, std::uint64_t virtual_deadline);

// Timers of the program's, whatever they end in: those that are due go off; and when the next is due that somebody may wait for.
extern std::uint64_t g_timers_from;  // virtual nanoseconds: none is due before
void run_due_timers();
inline void run_timers(std::uint64_t now) {
  if (now >= g_timers_from) run_due_timers();
}
// A timer was set that is due then.
inline void note_timer(std::uint64_t due) {
  if (due < g_timers_from) g_timers_from = due;
}
std::uint64_t next_timer();

// In a forked child virtual time goes on as fast as the real one, from where it was.
void begin_child_clock();
extern bool g_on_child_clock;
// False if the clock is not a virtual one.
bool child_clock_now(clockid_t clock, timespec* now);
// The time on the real clock that is as far away. False if the kernel is to be given what was asked for.
bool child_deadline(clockid_t clock, const timespec* asked, timespec* real);

// The same in a run, for a call that is made outside control.
bool run_deadline(clockid_t clock, const timespec* asked, timespec* real);

}  // namespace heddle::controlled
