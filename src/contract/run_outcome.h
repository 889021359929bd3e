// What one run came to, as the runtime saw it. The exit status or signal is the parent's to know, not ours.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/event.h"
#include "contract/ids.h"

namespace heddle {

enum class Verdict : std::uint8_t {
  none = 0,      // still running, or ended in a way only the parent sees (signal, exit status)
  finished = 1,  // the process left through exit or return from main
  deadlock = 2,  // certain: nothing can run, no timer pending, nobody outside control
  livelock = 3,
  step_limit = 4,
  stuck = 5,  // nothing can run, but a thread is outside control: not called a deadlock
  internal_error = 6,
};

// What became of the wake-up a thread waits for. Not the runtime's to say: campaign/lost_wakeup.h finds it out.
enum class LostWakeup : std::uint8_t {
  no = 0,  // it would wait again, or it waits for something else
  too_early,
  to_another,
  never_sent,  // what it waits for has come, and nobody said so
};

// The calls that led to an operation, innermost first, as far as the access stubs keep them; 0 ends them.
inline constexpr std::size_t kOperationCalls = 12;
struct OperationCalls {
  SiteId sites[kOperationCalls];
};

// One thread that cannot go on, for a deadlock or a stuck run.
struct BlockedThread {
  ThreadId thread;
  ThreadId holder;  // who holds what it waits for; kNoThread: nobody
  EventKind waiting_in;
  LostWakeup lost_wakeup;
  std::uint16_t in_forked_child;  // 1: not the thread itself waits, but the child that it forked
  ObjectId object;                // waited for
  SiteId site;                    // where it waits
  SiteId holder_site;             // where the holder took it
  SiteId signal_site;             // of the last wake-up by another thread, or of the fork; 0: none
  OperationCalls calls;           // that led to `site`
};

inline constexpr unsigned kMaxBlockedThreads = 64;

// Calls outside our control, by name, so that "control %" can be explained.
struct UncontrolledCall {
  char name[24];
  SiteId site;  // of the first
  std::uint64_t count;
};
inline constexpr unsigned kMaxUncontrolledCalls = 16;
inline constexpr unsigned kMostSleeps = 3;
struct SleepPlace {
  SiteId site;
  OperationCalls calls;
};

struct RunOutcome {
  Verdict verdict;
  std::uint8_t diverged;  // a replayed decision could not be followed
  std::uint16_t blocked_count;
  std::uint32_t thread_count;  // created in all, main included
  std::uint64_t steps;         // scheduling points
  std::uint64_t switches;
  std::uint64_t preemptions;        // switches away from a thread that could have gone on
  std::uint64_t decision_count;     // stored in the decision area
  std::uint64_t decisions_dropped;  // did not fit: the run cannot be replayed
  std::uint64_t event_hash;         // of every event in order: the determinism check
  std::uint64_t schedule_hash;      // of the happens-before order: equal for equivalent schedules
  std::uint64_t events;             // seen (accesses counted, not only points)
  std::uint64_t
      points_skipped;  // accesses that reached the engine and were no point thanks to classification
  std::uint64_t controlled_calls;    // blocking operations modelled
  std::uint64_t uncontrolled_calls;  // blocking operations that left control
  std::uint64_t watchdog_handovers;
  std::uint64_t virtual_ns;     // how far virtual time went
  std::uint64_t stall_ns;       // the largest stall decided
  std::uint64_t disturbances;   // noise applied
  std::uint64_t diverged_step;  // which replay decision failed first
  ThreadId diverged_wanted;
  ThreadId diverged_got;
  std::uint32_t point_count;  // racing objects now in the point area (learned ones appended)
  SiteId diverged_site;
  ObjectId livelock_object;
  SiteId livelock_site;
  OperationCalls livelock_calls;
  ThreadId livelock_thread;
  std::uint8_t wants_release_points;  // later runs should have kPlanReleasePoints
  std::uint8_t asked_ids;             // the program has asked for its own number, or a thread's
  std::uint8_t became_another;        // program, by exec: that one is not controlled
  std::uint8_t threads_in_children;   // that are on their own have threads
  std::uint8_t asked_ticks;  // the program has read the time stamp counter (kPlanVirtualTicks)
  std::uint8_t reserved[1];
  BlockedThread blocked[kMaxBlockedThreads];
  UncontrolledCall uncontrolled[kMaxUncontrolledCalls];
  char internal_error[256];
  SiteId crash_site;  // where a thread was when a fatal signal came; 0: not known
  OperationCalls crash_calls;
  SiteId met[2];  // confirm: where two accesses to the same memory stood side by side, last
  SleepPlace sleeps[kMostSleeps];  // where threads slept: the first places
};

}  // namespace heddle
