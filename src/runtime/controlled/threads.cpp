// Threads: creation, joining, the end with its thread-specific data.
#include <errno.h>
#include <limits.h>
#include <sys/syscall.h>

#include "runtime/call_stack.h"
#include "runtime/controlled/begin.h"
#include "runtime/controlled/cancel.h"
#include "runtime/controlled/classification.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/detect.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/outside.h"
#include "runtime/controlled/passing.h"
#include "runtime/controlled/signal_timers.h"
#include "runtime/controlled/signals.h"
#include "runtime/controlled/threads.h"
#include "runtime/fast/fast_state.h"
#include "runtime/faults.h"
#include "runtime/free_engine.h"
#include "runtime/identity.h"
#include "runtime/platform/real.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

namespace {

using runtime::Real;

HEDDLE_REAL Real<int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)> real_create{
    "pthread_create"};
HEDDLE_REAL Real<int(pthread_t, void**)> real_join{"pthread_join"};
HEDDLE_REAL Real<int(pthread_t)> real_detach{"pthread_detach"};

// Its destructor sees a thread end: it puts the value back until the last round, so that all other thread-specific
// data and thread_local objects are destroyed under control. In that round it comes last: destructors are called by number.
pthread_key_t g_end_key;
bool g_have_end_key;

void on_thread_end(void* task_pointer) {
  Task& self = *static_cast<Task*>(task_pointer);
  if (++self.end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(g_end_key, &self);
    return;
  }
  Engine& engine = g_engine;
  const runtime::InRuntime inside(*self.thread);
  if (self.thread->outside) enter_control();
  Intent intent{EventKind::thread_exit, &self};
  self.pending.kind = EventKind::thread_exit;
  self.pending.object = make_object(ObjectKind::thread, self.id.value);
  engine.commit(self, intent, 0, 0, true);
  self.state = TaskState::ended;
  if (has_signals(self)) [[unlikely]]
    pass_signals_on(self);
  engine.failed_tries = 0;
  engine.control->threads[self.id.value].points = self.points;
  engine.ending_tid = self.tid;
  engine.left = &self;
  self.thread->exempt = true;
  engine.leave(self, SwitchReason::ended);
}

void* child_main(void* task_pointer) {
  Task& self = *static_cast<Task*>(task_pointer);
  runtime::register_thread(self.id, self.path_hash);
  runtime::ThreadState& thread = runtime::self();
  {
    const runtime::InRuntime inside(thread);
    thread.controlled = &self;
    self.thread = &thread;
    self.calls = runtime::watched_calls();
    self.tid = thread.tid;
    if (runtime::takes_faults()) runtime::unblock_faults();
    pthread_setspecific(g_end_key, &self);
    wait_for_control(self);
    Intent intent{EventKind::thread_start, &self};
    begin_thread_accesses(self);
    begin_noise_thread();
    runtime::keep_call_stack();
    g_engine.commit(self, intent, 0, 0, true);
    if (has_signals(self)) take_signals(self, Interruption::never);
  }
  return self.routine(self.argument);
}

// The last thread of that handle, which somebody has joined. Null where the handle may be that of a thread without a number.
const Task* find_joined(pthread_t handle) {
  if (runtime::thread_count() > kMaxThreads) return nullptr;
  for (std::uint32_t i = g_engine.task_count; i > 0; --i) {
    const Task& task = g_engine.tasks[i - 1];
    if (task.joined && pthread_equal(task.handle, handle) != 0) return &task;
  }
  return nullptr;
}

bool target_ended(const Task& task) {
  return g_engine.tasks[task.wait_value].state == TaskState::ended;
}

enum class IsCancellationPoint : bool { no, yes };
int join_within(pthread_t handle, void** result, std::uint64_t deadline, Caller caller,
                IsCancellationPoint cancellable = IsCancellationPoint::yes) {
  Task& self = current();
  ++g_engine.control->outcome.controlled_calls;
  Task* const target = find_task(handle);
  if (target == nullptr || target == &self || target->detached) {
    if (runtime::g_detecting) {
      const Task* const wrong = target != nullptr ? target : find_joined(handle);
      if (wrong != nullptr && wrong != &self) detect_wrong_join(self, *wrong, caller);
    }
    // Not ours to model: a thread we never saw, or a mistake that the real one answers at once.
    leave_control("pthread_join", caller);
    const int answer = real_join(handle, result);
    enter_control();
    return answer;
  }
  if (cancellable == IsCancellationPoint::yes) act_on_cancellation(self);
  Intent intent{EventKind::thread_join, target, caller};
  intent.ready = target_ended;
  intent.wait_value = target->id.value;
  intent.deadline = deadline;
  tamper(self, intent);
  self.cancellation_point = cancellable == IsCancellationPoint::yes;
  g_engine.point(self, intent);
  self.cancellation_point = false;
  if (cancellable == IsCancellationPoint::yes) act_on_cancellation(self);
  if (self.timed_out) {
    g_engine.commit(self, intent, 0, ETIMEDOUT, true);
    return ETIMEDOUT;
  }
  target->joined = true;
  order_join(self, *target);
  const int answer = in_its_time(self, real_join, handle, result);
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(answer), true);
  return answer;
}

}  // namespace

Task* find_task(pthread_t handle) {
  for (std::uint32_t i = g_engine.task_count; i > 0; --i) {
    Task& task = g_engine.tasks[i - 1];
    if (task.state != TaskState::unused && !task.joined &&
        pthread_equal(task.handle, handle) != 0) {
      return &task;
    }
  }
  return nullptr;
}

bool is_alone(const Task& self) {
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    const Task& task = g_engine.tasks[i];
    const bool alive = task.state == TaskState::live || task.state == TaskState::outside;
    if (alive && &task != &self) return false;
  }
  return true;
}

Task* find_thread(pid_t tid) {
  for (std::uint32_t i = g_engine.live_from; i < g_engine.task_count; ++i) {
    Task& task = g_engine.tasks[i];
    if (is_there(task) && task.tid == tid) return &task;
  }
  return nullptr;
}

// The highest number for which every thread has room without asking malloc; those that are free below it stay the program's.
void make_end_key() {
  constexpr unsigned kWithRoom = 32;
  if (g_have_end_key) return;
  pthread_key_t keys[kWithRoom];
  unsigned count = 0;
  while (count < kWithRoom && pthread_key_create(&keys[count], on_thread_end) == 0) {
    if (keys[count++] >= kWithRoom - 1) break;
  }
  if (count == 0) return;
  unsigned chosen = count - 1;
  if (keys[chosen] >= kWithRoom && chosen > 0) --chosen;
  for (unsigned i = 0; i < count; ++i) {
    if (i != chosen) pthread_key_delete(keys[i]);
  }
  g_end_key = keys[chosen];
  g_have_end_key = true;
}

void prepare_thread_end(Task& main_task) {
  make_end_key();
  pthread_setspecific(g_end_key, &main_task);
}

void begin_thread_accesses(Task& self) {
  const std::uint64_t top = self.thread->stack_top;
  self.stack_top = top;
  bool used_before = false;  // glibc hands the stack of an ended thread to the next
  for (std::uint32_t i = 0; i < self.id.value; ++i) {
    used_before = used_before || g_engine.tasks[i].stack_top == top;
  }
  if (used_before) {
    void* const lowest = reinterpret_cast<void*>(top - self.thread->stack_size);
    reset_cells(lowest, self.thread->stack_size);
    if (runtime::g_detecting_memory) detect_fresh(self, lowest, self.thread->stack_size);
  }
  mark_learned_on_stack(self);
  begin_calls(self);
  watch_accesses(self);
}

int thread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*routine)(void*),
                  void* argument, Caller caller) {
  do_without_passing();
  Task& self = current();
  Engine& engine = g_engine;
  std::uint64_t path_hash = 0;
  const ThreadId id =
      runtime::announce_child(*self.thread, reinterpret_cast<void*>(routine), caller, &path_hash);
  if (id == kNoThread) {
    // More threads than we can name: it runs beside us, and no deadlock is certain any more.
    ++engine.exempt_threads;
    const runtime::InRuntime inside(*self.thread);
    return real_create(thread, attributes, routine, argument);
  }
  Task& child = engine.tasks[id.value];
  child = Task{};
  child.id = id;
  child.routine = routine;
  child.argument = argument;
  child.path_hash = path_hash;
  child.create_site = runtime::site_of(caller);
  child.pending.thread = id;
  child.pending.kind = EventKind::thread_start;
  child.pending.object = make_object(ObjectKind::thread, id.value);
  child.pending.path_hash = path_hash;
  child.passed_over_since = engine.effort();
  if (attributes != nullptr) {
    int state = PTHREAD_CREATE_JOINABLE;
    pthread_attr_getdetachstate(attributes, &state);
    child.detached = state == PTHREAD_CREATE_DETACHED;
  }
  int result = 0;
  {
    const runtime::InRuntime inside(*self.thread);
    result = real_create(&child.handle, attributes, child_main, &child);
  }
  if (result != 0) {
    child.state = TaskState::ended;
    child.joined = true;
    if (engine.task_count <= id.value) engine.task_count = id.value + 1u;
    return result;
  }
  *thread = child.handle;
  child.state = TaskState::live;
  engine.failed_tries = 0;
  if (engine.task_count <= id.value) engine.task_count = id.value + 1u;
  engine.control->outcome.thread_count = engine.task_count;
  order_create(self, child);
  if (runtime::g_detecting) detect_create(self, child, caller);
  watch_accesses(self);

  Intent intent{EventKind::thread_create, &child, caller};
  engine.point(self, intent);
  engine.commit(self, intent, id.value, 0, true);
  return 0;
}

int thread_join(pthread_t thread, void** result, Caller caller) {
  return join_within(thread, result, kNever, caller);
}

int thread_tryjoin(pthread_t thread, void** result, Caller caller) {
  Task& self = current();
  Task* const target = find_task(thread);
  Intent intent{EventKind::thread_join, target, caller};
  g_engine.point(self, intent);
  const bool ended = target == nullptr || target->state == TaskState::ended;
  if (!ended) {
    g_engine.commit(self, intent, 0, EBUSY, false);
    return EBUSY;
  }
  return join_within(thread, result, kNever, caller, IsCancellationPoint::no);
}

int thread_timedjoin(pthread_t thread, void** result, clockid_t clock, const timespec* deadline,
                     Caller caller) {
  if (deadline == nullptr) return thread_join(thread, result, caller);
  if (!valid(*deadline)) return EINVAL;
  return join_within(thread, result, virtual_deadline(clock, *deadline), caller);
}

int thread_detach(pthread_t thread, Caller caller) {
  Task& self = current();
  const Intent intent{EventKind::thread_detach, find_task(thread), caller};
  g_engine.point(self, intent);
  if (Task* target = find_task(thread)) target->detached = true;
  const int result = at_once(self, real_detach, thread);
  g_engine.commit(self, intent, 0, static_cast<std::int16_t>(result), true);
  return result;
}

}  // namespace heddle::controlled
