// A timer that ends in a signal, as the kernel knows it: for when the kernel holds it, and for signals that look like its own.
#pragma once

#include <signal.h>
#include <time.h>

#include <cstdint>

#include "runtime/controlled/task.h"

namespace heddle::controlled {

enum class Holder : std::uint8_t {
  engine,
  kernel,  // its signal has no handler
  lent,    // to the kernel, see lend_timers_to_kernel
};

struct SignalTimer {
  bool is_alarm;  // of the process: it has no number
  timer_t number;
  clockid_t clock;
  int signal;                // 0: none
  void (*function)(sigval);  // instead of a signal; or null
  bool call_due;             // and nobody has begun with the call
  pid_t thread;              // 0: the process
  sigval value;
  std::uint64_t due;       // kNever: not set
  std::uint64_t interval;  // 0: once
  std::uint64_t length;    // until it was first due, when it was set
  Holder holder;
  Task* receiver;         // who takes the signal at its next turn; null: it is not on its way
  bool queued;            // in the kernel, for a thread that has blocked it
  const Task* queued_at;  // null: the process
  int overrun;            // times it was due since its last signal
};

// What is left in virtual time; one that is set never has nothing left.
std::uint64_t left_of(const SignalTimer& timer);
// In real time. 0: it is not set there, or not any more.
std::uint64_t left_in_kernel(const SignalTimer& timer);
// As timer_gettime says it.
itimerspec state_of(const SignalTimer& timer);

// What is left passes in real time.
void give_to_kernel(SignalTimer& timer, Holder as);
// It is stopped there.
void take_from_kernel(SignalTimer& timer);

siginfo_t info_of(const SignalTimer& timer);
// By whoever has control. Null: to the process.
void send_signal_of(const SignalTimer& timer, const Task* receiver);

}  // namespace heddle::controlled
