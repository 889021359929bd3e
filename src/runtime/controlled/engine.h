// The controlled engine: one program thread runs at a time, and who is next is a decision.
//
// Every modelled operation goes through point(): the thread states what it is about to do and when that can be done
// (a `ready` function; none means at once). The engine collects the threads whose pending operation is enabled, asks the
// strategy, records a departure from the default, and hands control over. When point() returns, the operation can be
// carried out without blocking, and nobody else runs until the next point. So a mutex needs no queue here: a thread waiting for it
// is simply not a candidate while the program's own pthread_mutex_t is taken.
//
// Only the thread that has control touches the engine, with one exception: threads coming back from outside
// (outside.cpp) put themselves on a list that the running thread empties at its next point.
#pragma once

#include <cstdint>

#include "base/fixed_vector.h"
#include "base/prng.h"
#include "contract/control_block.h"
#include "contract/schedule_point.h"
#include "runtime/controlled/task.h"
#include "schedule/access_recorder.h"
#include "schedule/replay.h"
#include "schedule/strategy.h"

namespace heddle::controlled {

// Whether a handler that ran in the middle of an operation ends it (EINTR).
enum class Interruption : std::uint8_t { never, unless_restarted, always };

void enter_control();  // operations.h
bool regain_control();

// What a thread is about to do, and can do at once. One is made for every operation: the constructor keeps compilers from clearing
// all of it first, with an instruction that takes longer than most operations do.
struct Operation {
  constexpr Operation(EventKind what, const void* address = nullptr, void* from = nullptr)
      : kind(what), object(address), caller(from) {}

  EventKind kind;
  std::uint8_t size = 0;
  MemoryOrder order = MemoryOrder::none;
  bool by_noise = false;  // a delay that noise asked for, not the program
  bool goes_on = false;   // in the middle of an operation, which noise must not tear apart
  const void* object;     // address
  void* caller;
  std::uint64_t argument = 0;
  std::uint64_t wait_value = 0;  // for Intent::ready(); of a condition wait the mutex
};

// The same where it may have to wait.
struct Intent : Operation {
  using Operation::Operation;
  constexpr explicit Intent(const Operation& operation) : Operation(operation) {}

  bool (*ready)(const Task&) = nullptr;
  const void* wait_object = nullptr;  // for ready(); defaults to object
  std::uint64_t deadline = kNever;
  std::uint64_t honest_deadline =
      0;                    // where noise shortened it: what the clock says when it passed
  bool shared = false;      // other processes may act on the object, by what it says of itself
  bool given_here = false;  // and our own threads give it too: nobody knows who is next
  bool in_real_time =
      false;  // its deadline: what it waits for comes from outside, which virtual time would outrun
  bool yields = false;
  bool looks_again = false;  // after a handler: a wake-up that came meanwhile has not reached it
  Interruption interruption = Interruption::never;
  ObjectId name{};  // of what has no address in the program
};

struct Engine {
  Task tasks[kMaxThreads];
  std::uint32_t task_count;  // ids handed out so far
  std::uint32_t live_from;   // no live task below this id
  Task* running;             // null: all are outside

  ControlBlock* control;
  Strategy* strategy;
  Prng prng;              // the strategy's
  Prng rescue_prng;       // of the fair tail and of threads that try in step
  Replay* replay;         // null: nothing is being replayed
  bool replay_continues;  // after the last decision, or drift, the strategy goes on
  AccessRecorder accesses;
  bool records_accesses;  // some strategy of a later run wants them
  bool stalls;
  std::uint64_t stalled;       // nanoseconds, in all stalls
  bool woke_blocked;           // kPlanWakeBlocked has been done
  bool fair;                   // past the step limit: everybody gets a turn, by chance
  std::uint64_t failed_tries;  // since a thread began or ended
  std::uint64_t step;
  std::uint64_t stretch_effort;  // what long stretches of work without a point are worth, in steps
  std::uint64_t look_at;         // the effort at which all are looked at: is one passed over?
  std::uint64_t passed_over_limit;  // for so long; another in every run, since some bugs need it
  std::uint32_t shaken_left;        // picks that chance makes, because somebody was
  std::uint64_t now;                // virtual nanoseconds since the run began
  std::uint64_t even_until;         // up to this step nothing but time passes at a step:
  std::uint64_t step_ns;            // so much
  Task* on_lease;                   // the strategy has said that it goes on, whoever else could,
  std::uint64_t lease_left;         // at so many more points of its own,
  std::uint64_t lease_used;         // and does not know yet at how many it did
  std::uint64_t jumped_at;       // the step at which time last went on to what somebody waited for
  std::uint64_t long_stretches;  // of work without a point, since then
  std::uint64_t clock_reads;     // since somebody_waits was found out
  bool somebody_waits;           // for time to pass, or looks at the clock again and again
  std::uint64_t queue_counter;
  std::uint64_t changes;      // events that changed something others can see: progress
  std::uint64_t idle_polls;   // polls since the last change while nobody else could go on
  std::uint64_t still_since;  // the poll from which on nobody worked unseen, either
  std::uint64_t clock_leap;   // how far time moved at the last idle poll of the clock
  pid_t ending_tid;           // a thread on its way out of the kernel; the next runner waits for it
  Task* left;                 // who left control last, for a scheduler that takes over
  bool noisy;
  bool
      chooses_plainly;  // no noise has a say in who is next, and points where nothing is decided are not recorded
  bool passing_is_quiet;  // an access that is no point is neither traced nor shown to noise
  Task* inverse_task;     // inverseNoise: it alone runs, for so many more points
  std::uint64_t inverse_left;
  bool
      release_points;  // somebody can tell a lock that is held from one that is free, without waiting for it
  bool has_children;  // processes that the program started: they may act on its descriptors
  std::uint32_t exempt_threads;  // alive without our control: no deadlock is certain then

  FixedVector<PendingOperation, kMaxThreads> candidates;

  // Returns when `self` has control and its operation can be done (or its deadline has passed: self.timed_out; or a handler
  // has ended it: self.interrupted).
  void point(Task& self, const Intent& intent);
  // Returns when `self` has control.
  void point(Task& self, const Operation& operation);
  // A thread that ends: chooses who is next and hands over. Does not return control to anybody if nobody is left.
  void leave(Task& self, SwitchReason reason);
  // Called in a parked thread that was asked to choose.
  Task* take_over(Task& self);

  // An event happened: into the hashes, the trace, the metrics. `changed`: somebody else could notice.
  void commit(Task& self, const Operation& done, std::uint64_t value, std::int16_t result,
              bool changed);

  // Gives the pending operation the names of its object and its place.
  static void name(Task& self, const void* address, const void* caller);

  // A thread has worked for long without a point.
  void let_time_pass();
  // Steps, and what such stretches are worth.
  std::uint64_t effort() const { return step + stretch_effort; }

  // A replay decides, not the strategy: where nothing is recorded the default holds.
  bool following() const;
  // The recorded decision of that kind at this point of the thread, or null. Used up by asking.
  const Decision* recorded(DecisionKind kind, const Task& from);

  // Picks one of `count` waiters (in arrival order) for a wake-up: a decision.
  std::size_t choose_waiter(Task& self, const ThreadId* waiters, std::size_t count);
  // Whether a condition wait that begins now ends without a signal, where the plan allows it: a decision.
  bool wakes_by_itself(Task& self);

 private:
  friend struct Outside;
  void collect(Task* from);
  bool advance_clock();
  std::uint64_t step_length();
  void begin_even_steps();
  void look_who_waits();
  void time_jumped();
  bool may_stall(std::uint64_t nanoseconds) const;
  Task* choose(Task& from, SwitchReason reason);
  Task* choose_among(Task& from, SwitchReason reason);
  void take_step(Task& from);
  std::uint64_t place_of(const Task& task) const;
  void note_divergence();
  std::size_t pick(const SchedulePoint& point);
  void apply_noise();
  void count_yields(Task& to);
  template <class Stated>
  void wait_at_point(Task& self, const Stated& stated);
  template <class Stated>
  void come_to_point(Task& self, const Stated& stated);
  void state(Task& self, const Operation& operation);
  void state(Task& self, const Intent& intent);
  void wait_for_turn(Task& self);
  void take_signals_in(Task& self, const Intent& intent);
  bool goes_on(Task& from);
  bool renew_lease(Task& from);
  void end_lease();
  void hand_over(Task& from, Task& to);
};

extern Engine g_engine;

// The calling thread's task, which has control; one that the watchdog took control from waits here for its turn. So does
// point(), and commit(): nobody touches the engine without control.
inline Task& current() {
  const runtime::ThreadState& thread = runtime::self();
  if (thread.outside) [[unlikely]]
    regain_control();
  return *static_cast<Task*>(thread.controlled);
}

// Calls a real function that does not wait. The watchdog takes no control meanwhile: what was done, and what is told of it
// next, are one step. Else the next to take a lock would be told of before the one who gave it back.
template <class Real, class... Arguments>
auto at_once(Task& self, Real& real, Arguments... arguments) {
  const runtime::InRuntime inside(*self.thread);
  return real(arguments...);
}

// One that may wait for somebody without control, and lose control so. It has control again afterwards.
template <class Real, class... Arguments>
auto in_its_time(Task& self, Real& real, Arguments... arguments) {
  const auto result = real(arguments...);
  if (self.thread->outside) [[unlikely]]
    enter_control();
  return result;
}

// events.cpp, for runs with kPlanStacks. Neither is hashed or decides anything: a failure can be told with stacks and values.
void begin_calls(const Task& self);
// What was called and left since the thread's last event.
void catch_up_with_calls(Task& self);
// An access that is no scheduling point.
void trace_in_passing(Task& self, const Operation& access);
// A store is reported before it happens; what it stored is known when its thread comes back to us, and has to be looked at
// before anybody else runs.
void trace_stored(Task& self);

// The end of the run by our own verdict; does not return.
[[noreturn]] void end_run(Verdict verdict);
// deadlock.cpp: fills outcome.blocked from the present state.
void describe_blocked();

// Its pending operation can be done now, deadlines aside.
bool enabled_now(const Task& task);
bool insists(const Task& task);
// Waits for nothing but its deadline.
bool never_ready(const Task& task);
bool when_notified(const Task& task);

}  // namespace heddle::controlled
