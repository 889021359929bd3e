#include "runtime/controlled/disturb.h"

#include "noise/mixer.h"
#include "runtime/call_stack.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/waiters.h"
#include "runtime/identity.h"

namespace heddle::controlled {

namespace {

constinit NoiseMixer g_mixer;
ThreadNoise g_thread_noise[kMaxThreads];  // by task: large, and untouched in a run without noise
ThreadId g_held[kMaxThreads];

bool at_noise_barrier(const Task& task) { return task.notified; }

std::uint64_t later(std::uint64_t nanoseconds) { return g_engine.now + nanoseconds; }

// Whoever waits for a thread that noise holds may do so by polling: time then passes by steps, not by leaps, and a run must
// not use up all it has for that. So a hold takes some steps at most, fewer the longer the run is already; not a part of the
// plan's limit, which a replay may have another of.
constexpr std::uint64_t kLongRun = 1 << 21;
constexpr std::uint64_t kPartOfRun = 64;
constexpr std::uint64_t kFewSteps = 256;
// A thread that yields while others are held has nothing better to do: each time counts for so many steps.
constexpr std::uint64_t kStepsOfAYield = 500;

std::uint64_t longest_hold(std::uint64_t step) {
  const std::uint64_t left = step < kLongRun ? (kLongRun - step) / kPartOfRun : 0;
  return left > kFewSteps ? left : kFewSteps;
}

void hold(Task& self, const Operation& place, bool (*ready)(const Task&), std::uint64_t deadline) {
  self.held_until = g_engine.step + longest_hold(g_engine.step);
  Intent intent{EventKind::none, place.object, place.caller};
  intent.ready = ready;
  intent.deadline = deadline;
  intent.by_noise = true;
  g_engine.point(self, intent);
  self.held_until = 0;
}

void carry_out(Task& self, const Operation& place, Disturbance disturbance) {
  Engine& engine = g_engine;
  ++engine.control->outcome.disturbances;
  switch (disturbance.kind) {
    case DisturbanceKind::none:
      return;
    case DisturbanceKind::yield:
    case DisturbanceKind::
        synch_yield:  // whoever else is disturbed meanwhile waits anyway: one runs at a time
      self.noise_yields = static_cast<std::uint32_t>(disturbance.amount);
      return;
    case DisturbanceKind::sleep:
    case DisturbanceKind::wait:
    case DisturbanceKind::busy_wait:
      hold(self, place, never_ready, later(disturbance.amount));
      return;
    case DisturbanceKind::priority:
      self.noise_priority = static_cast<std::uint8_t>(disturbance.amount);
      return;
    case DisturbanceKind::barrier: {
      const std::size_t count = collect_waiters(place.object, at_noise_barrier, g_held);
      for (std::size_t i = 0; i < count; ++i) engine.tasks[g_held[i].value].notified = true;
      if (count > 0) return;
      self.notified = false;
      self.queued = ++engine.queue_counter;
      hold(self, place, at_noise_barrier, later(disturbance.amount));
      self.notified = false;
      return;
    }
    case DisturbanceKind::halt:
      for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
        if (engine.tasks[i].halted) return;
      }
      self.halted = true;
      hold(self, place, nullptr, kNever);
      self.halted = false;
      return;
    case DisturbanceKind::inverse:
      if (engine.inverse_left > 0) return;
      engine.inverse_task = &self;
      engine.inverse_left = disturbance.amount;
      return;
  }
}

}  // namespace

void begin_noise() {
  const ControlBlock& control = *g_engine.control;
  NoiseSettings settings = control.plan.noise;
  settings.budget_percent = 0;  // a delay costs nothing here, so there is nothing to save
  // The run's own stream, apart from the strategy's: the same noise whatever decides who is next.
  Prng prng(combine(control.plan.seed, 0x6e6f697365));
  g_engine.noisy = g_mixer.begin_run(settings, nullptr, prng) && g_mixer.active();
  g_mixer.learn({control.known_lessons, control.plan.lesson_count});
}

void show_call(Task& self, EventKind kind, SiteId call_site) {
  if (!g_engine.noisy || !g_mixer.needs_functions()) return;
  Event event{};
  event.step = g_engine.step;
  event.thread = self.id;
  event.kind = kind;
  event.site = call_site;
  g_mixer.at(event, g_thread_noise[self.id.value], self.thread->prng);
}

void begin_noise_thread() {
  if (g_engine.noisy && g_mixer.needs_functions()) runtime::keep_call_stack();
}

void end_noise() {
  if (!g_engine.noisy) return;
  const std::size_t taught = g_mixer.teach(g_engine.control->lessons);
  g_engine.control->lesson_count = taught < kLessonCapacity ? taught : kLessonCapacity;
}

void disturb(Task& self, const Operation& intent, EventPhase phase, std::int16_t result) {
  if (intent.by_noise || intent.goes_on || !g_mixer.looks_at(phase)) return;
  if (g_mixer.needs_functions()) catch_up_with_calls(self);
  Event event{};
  event.step = g_engine.step;
  event.object = self.pending.object;
  event.site = self.pending.site;
  event.argument = intent.argument;
  if (is_condition_wait(intent.kind)) {
    event.argument = runtime::object_of(reinterpret_cast<const void*>(intent.wait_value)).value;
  }
  event.thread = self.id;
  event.kind = intent.kind;
  event.phase = phase;
  event.size = intent.size;
  event.order = intent.order;
  event.result = result;
  const Disturbance disturbance =
      g_mixer.at(event, g_thread_noise[self.id.value], self.thread->prng);
  if (!disturbance) return;
  carry_out(self, intent, disturbance);
}

void disturb_after(Task& self, const Operation& whole) {
  if (!g_engine.noisy) return;
  const runtime::InRuntime inside(*self.thread);
  Operation intent = whole;
  intent.goes_on = false;
  self.pending.object = runtime::object_of(intent.object);
  self.pending.site = runtime::site_of(intent.caller);
  disturb(self, intent, EventPhase::after);
}

bool disturbs_in_passing() { return g_engine.noisy; }

bool disturbs_private_accesses() { return g_engine.noisy && !g_mixer.looks_at_all(); }

void disturb_in_passing(Task& self, const Operation& access, EventPhase phase) {
  if (!disturbs_in_passing() || !g_mixer.looks_at(phase)) return;
  if (g_mixer.passes(access.kind, phase, g_thread_noise[self.id.value])) return;
  const runtime::InRuntime inside(*self.thread);
  self.pending.object = runtime::object_of(access.object);
  self.pending.site = runtime::site_of(access.caller);
  disturb(self, access, phase);
}

void shorten_holds() {
  Engine& engine = g_engine;
  if (!engine.noisy) return;
  for (std::uint32_t i = engine.live_from; i < engine.task_count; ++i) {
    Task& task = engine.tasks[i];
    if (task.held_until == 0) continue;
    const bool soon = task.held_until < engine.step + kStepsOfAYield;
    task.held_until = soon ? engine.step : task.held_until - kStepsOfAYield;
  }
}

void tamper(Task& self, Intent& intent) {
  const std::uint64_t deadline = intent.deadline;
  if (!g_mixer.tampers() || deadline == kNever || deadline <= g_engine.now) return;
  const std::uint64_t asked = deadline - g_engine.now;
  std::uint64_t left = g_mixer.shorten(asked, self.thread->prng);
  const std::uint64_t longest = g_engine.control->plan.max_stall_ns;
  if (asked - left > longest) left = asked - longest;
  if (left == asked) return;
  intent.honest_deadline = deadline;
  intent.deadline =
      g_engine.now + left + 1;  // over at the thread's own next step: it need not give way
}

void keep_clock_honest(Task& task) {
  if (task.honest_deadline <= g_engine.now) return;
  const std::uint64_t stall = task.honest_deadline - g_engine.now;
  RunOutcome& outcome = g_engine.control->outcome;
  if (stall > outcome.stall_ns) outcome.stall_ns = stall;
  g_engine.now = task.honest_deadline;
  run_timers(g_engine.now);
}

}  // namespace heddle::controlled
