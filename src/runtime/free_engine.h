// The free engine: real threads in parallel, real delays. Entry points use around(): report, let noise act, do the real
// thing, report again, let noise act again.
#pragma once

#include <time.h>

#include <cstddef>
#include <cstdint>

#include "contract/event.h"
#include "runtime/detection.h"
#include "runtime/mode.h"
#include "runtime/thread.h"

namespace heddle::runtime {

struct Occurrence {
  EventKind kind;
  const void* object;  // address, null if none
  void* caller;        // return address in the program
  std::uint64_t argument = 0;
  std::uint8_t size = 0;
  MemoryOrder order = MemoryOrder::none;
};

// Nobody records events or acts on them; detectors may still be shown them.
extern bool g_events_pass;

// Makes the Event, shows it to noise (and later to detectors), carries out the disturbance. Preserves errno.
void free_event(const Occurrence& occurrence, EventPhase phase, std::int16_t result = 0);

// Once per run, before the program's first instruction of it.
void begin_free_run();
// In each thread of the run, main included, before its first event.
void begin_free_thread();
// After its last one: what it had goes to another.
void give_free_thread_back();
// What the fast countdown of accesses is to be for this thread (runtime/access.h): accesses to pass before the next look.
std::int64_t free_countdown(ThreadState& thread);
// A free run comes to its end: what noise learned goes to the control block.
void end_free_run();
// timeoutTamper: how long a sleep or timed wait that asks for so many nanoseconds shall last.
std::uint64_t free_timeout(std::uint64_t nanoseconds);

// timeoutTamper for a call with a deadline or a length of time: the one to use instead. Lives as long as the call.
class TamperedTime {
 public:
  static TamperedTime until(clockid_t clock, const timespec* deadline);
  // Never shortened; but a child forked by a controlled run has another clock than the kernel.
  static TamperedTime honest(clockid_t clock, const timespec* deadline);
  static TamperedTime lasting(const timespec* length);
  const timespec* get() const { return changed_ ? &time_ : asked_; }

 private:
  const timespec* asked_ = nullptr;
  timespec time_ = {};
  bool changed_ = false;
};
// A thread's, or the process's, last chance to add its counts to the outcome.
void add_counts(ThreadState& thread);
// The slow path of a memory access: the countdown ran out, or every access is looked at.
void free_access(ThreadState& thread, const Occurrence& occurrence);
// Another event of this thread that nobody but detectors is shown.
void count_free_event(ThreadState& thread);

// fasttrack is all there is: nobody records, nobody disturbs, nobody needs turns. The calling thread's events count as said
// below.
inline bool detects_alone(const ThreadState& thread) {
  return g_tracking_alone && g_events_pass && !thread.in_runtime;
}
// An event then.
inline void count_alone(ThreadState& thread) {
  constexpr std::uint64_t kCountEvery = 4096;
  if (thread.event_count % kCountEvery == kCountEvery - 1) {
    count_free_event(thread);  // which has time for the accesses, too
  } else {
    ++thread.event_count;
  }
}

// True if the calling thread's events count now: free engine, registered, not inside the runtime, and (for memory) the
// level asks for it.
bool free_engine_wants(EventKind kind);

// In a controlled run: tells the detectors that an object is initialised or destroyed.
void show_begin_or_end(const Occurrence& occurrence, std::int16_t result);

// For entry points of the free engine and of a program not under test. Call returns int or long.
template <class Call>
auto around(const Occurrence& occurrence, Call&& call) {
  if (g_detecting && controlled()) {
    // What the controlled engine does not model: an object begins or ends.
    const auto result = call();
    show_begin_or_end(occurrence, static_cast<std::int16_t>(result));
    return result;
  }
  if (inactive() || !free_engine_wants(occurrence.kind)) return call();
  free_event(occurrence, EventPhase::before);
  const auto result = call();
  free_event(occurrence, EventPhase::after, static_cast<std::int16_t>(result));
  return result;
}

}  // namespace heddle::runtime

namespace heddle::controlled {
bool regain_control();  // operations.h
}  // namespace heddle::controlled

namespace heddle::runtime {

// True when the entry point must hand the call to the controlled engine: controlled run, the one thread that runs, and
// not inside us. A signal handler on a parked thread has no control: its calls go to the real functions. Who lost control
// comes back by this, unless the call is none that the level counts: it may be what the thread waits with for the others.
enum class ComesBack : std::uint8_t { no, yes };
inline bool under_control(ComesBack comes_back = ComesBack::yes) {
  if (!controlled()) return false;
  const ThreadState& thread = self();
  if (thread.in_runtime) return false;
  if (thread.has_control) return true;
  return thread.outside && comes_back == ComesBack::yes && controlled::regain_control();
}

}  // namespace heddle::runtime
