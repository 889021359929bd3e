// Where a controlled run starts and ends.
#include "runtime/controlled/begin.h"

#include <string_view>

#include "runtime/access.h"
#include "runtime/call_stack.h"
#include "runtime/controlled/cancel.h"
#include "runtime/controlled/classification.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/forked_child.h"
#include "runtime/controlled/mutex.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/outside.h"
#include "runtime/controlled/passing.h"
#include "runtime/controlled/signal_queue.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/sync_table.h"
#include "runtime/controlled/threads.h"
#include "runtime/controlled/timer_descriptors.h"
#include "runtime/controlled/world.h"
#include "runtime/detection.h"
#include "runtime/identity.h"
#include "runtime/memory_shares.h"
#include "runtime/mode.h"
#include "runtime/platform/memory.h"
#include "runtime/thread_path.h"
#include "schedule/catalog.h"

namespace heddle::controlled {

namespace {

constinit Replay g_replay;

void begin_strategy(Engine& engine) {
  ControlBlock& control = *engine.control;
  const RunPlan& plan = control.plan;
  engine.prng.reseed(plan.seed);
  engine.rescue_prng.reseed(combine(plan.seed, 0x66616972));
  constexpr std::uint64_t kShortestPassedOver = 20'000;
  engine.passed_over_limit = kShortestPassedOver << engine.rescue_prng.below(6);
  StrategyContext context{};
  context.settings = plan.strategy;
  context.profile = {control.profile, plan.strategy.profile_count};
  context.accesses = {control.known_accesses, plan.strategy.access_count};
  context.met = control.outcome.met;
  const std::uint64_t follow =
      plan.replay_count < plan.replay_prefix ? plan.replay_count : plan.replay_prefix;
  context.replay = {control.replay, follow};

  const StrategyRow* row = find_strategy(std::string_view(plan.strategy.name));
  if (row == nullptr || row->instance == nullptr) row = find_strategy("random");
  engine.strategy = &row->instance();
  engine.strategy->begin_run(context, engine.prng);
  const bool systematic = (plan.flags & kPlanRecordWidths) != 0;
  if (systematic || (follow == 0 && (plan.flags & kPlanFollow) == 0)) return;
  engine.replay = &g_replay;
  engine.replay_continues =
      (plan.flags & kPlanFollow) == 0 || (plan.flags & kPlanFreeAfterDrift) != 0;
  g_replay.continue_with(engine.replay_continues ? engine.strategy : nullptr);
  g_replay.begin_run(context, engine.prng);
  engine.strategy = &g_replay;
}

}  // namespace

void prepare() {
  begin_sync_table();
  map_cells();
  make_end_key();
  note_inherited_descriptors();
  runtime::prepare_heap_notes();
  runtime::map_ahead();  // last: what the others map is not a run's
}

void begin_run() {
  Engine& engine = g_engine;
  ControlBlock& control = *runtime::g_control;
  engine.control = &control;
  engine.stalls = (control.plan.flags & kPlanStalls) != 0 && control.plan.max_stall_ns > 0;
  control.outcome.thread_count = 1;
  control.outcome.schedule_hash = 1;  // to do nothing is a schedule; 0 is that of no controlled run
  control.outcome.point_count = static_cast<std::uint32_t>(control.plan.point_count);
  engine.records_accesses = control.wants_accesses != 0;
  if (engine.records_accesses) {
    engine.accesses.begin_run({control.accesses, kAccessCapacity}, &control.access_count);
  }
  begin_strategy(engine);
  begin_sync_table();
  begin_noise();
  constexpr auto kEachAccess = kPlanStacks | kPlanAllPoints;
  constexpr auto kEachPoint = kPlanRecordPoints | kPlanRecordWidths;
  engine.chooses_plainly = !engine.noisy && (control.plan.flags & kEachPoint) == 0;
  engine.passing_is_quiet = (control.plan.flags & kEachAccess) == 0 && !disturbs_in_passing();
  engine.release_points = (control.plan.flags & kPlanReleasePoints) != 0;

  runtime::ThreadState& thread = runtime::self();
  Task& main_task = engine.tasks[0];
  main_task.id = ThreadId{0};
  main_task.state = TaskState::live;
  main_task.pending.thread = main_task.id;
  main_task.pending.path_hash = thread.path_hash;
  main_task.path_hash = thread.path_hash;
  main_task.tid = thread.tid;
  main_task.handle = pthread_self();
  main_task.thread = &thread;
  main_task.calls = runtime::watched_calls();
  thread.controlled = &main_task;
  engine.task_count = 1;
  engine.running = &main_task;
  engine.left = &main_task;
  if (runtime::g_level == Level::memory && (control.plan.flags & kPlanAllPoints) == 0) {
    begin_classification(runtime::memory_shares(control.plan).cells);
    mark_learned_on_stack(main_task);
  }
  begin_calls(main_task);
  begin_phase(main_task);
  prepare_thread_end(main_task);
  begin_cancellation(main_task);
  begin_noise_thread();
  if ((control.plan.flags & kPlanNoWatchdog) == 0) arm_watchdog();
  __atomic_store_n(&control.running_tid, static_cast<std::uint32_t>(thread.tid), __ATOMIC_RELAXED);
  thread.has_control = true;
}

// Threads that are still there may go on until the very end: after the last thing that its thread did.
static void come_to_end(Caller caller) {
  Task& self = current();
  if (is_alone(self)) return;
  const Intent intent{EventKind::process_exit, nullptr, caller};
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, false);
}

void process_exited(Caller caller) { come_to_end(caller); }

void process_exiting(int status, Caller caller) {
  (void)status;
  do_without_passing();
  come_to_end(caller);
  Engine& engine = g_engine;
  for (std::uint32_t i = 0; i < engine.task_count; ++i) {
    if (engine.tasks[i].state == TaskState::unused) continue;  // another process's
    engine.control->threads[i].points = engine.tasks[i].points;
  }
  // Who ends the program has begun, whether it came to a point or not.
  if (engine.running != nullptr && engine.running->points == 0) {
    engine.control->threads[engine.running->id.value].points = 1;
  }
  RunOutcome& outcome = engine.control->outcome;
  outcome.steps = engine.step;
  outcome.virtual_ns = engine.now;
  if (is_child_in_control()) {
    leave_word();
  } else {
    outcome.verdict = Verdict::finished;
  }
  end_noise();
}

void before_fork(ChildMayHaveControl passing, Caller caller) {
  want_release_points();  // the child inherits every lock as it is now
  Task& self = current();
  const Intent intent{EventKind::fork, nullptr, caller};
  g_engine.point(self, intent);
  g_engine.commit(self, intent, 0, 0, true);
  do_without_passing();
  if (passing == ChildMayHaveControl::yes) consider_passing(self);
  note_child();
  note_fork(self);
}
void note_child() { g_engine.has_children = true; }
bool has_children() { return g_engine.has_children; }
void after_fork_in_parent(int child) {
  forget_fork();
  begin_passing(child);
}
void after_fork_in_child() {
  const auto* const self = static_cast<const Task*>(runtime::current_thread().controlled);
  if (self != nullptr) lend_cancellation(*self);  // null: a thread that is none of ours forks
  release_timer_descriptors();
  forget_signal_queue();
  forget_signal_timers();
  begin_forked_child();
  begin_child_clock();
}

}  // namespace heddle::controlled
