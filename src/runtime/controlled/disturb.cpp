#include "runtime/controlled/disturb.h"

#include "noise/mixer.h"
#include "runtime/call_stack.h"
#include "runtime/controlled/waiters.h"
#include "runtime/identity.h"

namespace heddle::controlled {

namespace {

constinit NoiseMixer g_mixer;
ThreadNoise g_thread_noise[kMaxThreads];  // by task: large, and untouched in a run without noise
ThreadId g_held[kMaxThreads];

bool at_noise_barrier(const Task& task) { return task.notified; }

std::uint64_t later(std::uint64_t nanoseconds) { return g_engine.now + nanoseconds; }

void hold(Task& self, const Intent& place, bool (*ready)(const Task&), std::uint64_t deadline) {
  Intent intent{EventKind::none, place.object, place.caller};
  intent.ready = ready;
  intent.deadline = deadline;
  intent.by_noise = true;
  g_engine.point(self, intent);
}

void carry_out(Task& self, const Intent& place, Disturbance disturbance) {
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

// Placements that follow calls are told of them before the event that comes next.
void show_calls(Task& self) {
  Event event{};
  event.step = g_engine.step;
  event.thread = self.id;
  event.order = MemoryOrder::none;
  runtime::catch_up_with_calls(
      [&] {
        event.kind = EventKind::function_exit;
        g_mixer.at(event, g_thread_noise[self.id.value], self.thread->prng);
      },
      [&](void* call_site) {
        event.kind = EventKind::function_enter;
        event.site = runtime::site_of(call_site);
        g_mixer.at(event, g_thread_noise[self.id.value], self.thread->prng);
      });
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

void begin_noise_thread() {
  if (g_engine.noisy && g_mixer.needs_functions()) runtime::keep_call_stack();
}

void end_noise() {
  if (!g_engine.noisy) return;
  const std::size_t taught = g_mixer.teach(g_engine.control->lessons);
  g_engine.control->lesson_count = taught < kLessonCapacity ? taught : kLessonCapacity;
}

void disturb(Task& self, const Intent& intent, EventPhase phase, std::int16_t result) {
  if (intent.by_noise || intent.goes_on || !g_mixer.looks_at(phase)) return;
  if (g_mixer.needs_functions()) show_calls(self);
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

void disturb_after(Task& self, const Intent& whole) {
  if (!g_engine.noisy) return;
  const runtime::InRuntime inside(*self.thread);
  Intent intent = whole;
  intent.goes_on = false;
  self.pending.object = runtime::object_of(intent.object);
  self.pending.site = runtime::site_of(intent.caller);
  disturb(self, intent, EventPhase::after);
}

void disturb_in_passing(Task& self, const Intent& access) {
  if (!g_engine.noisy || !g_mixer.looks_at_all()) return;
  const runtime::InRuntime inside(*self.thread);
  self.pending.object = runtime::object_of(access.object);
  self.pending.site = runtime::site_of(access.caller);
  disturb(self, access, EventPhase::before);
  disturb(self, access, EventPhase::after);
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
}

}  // namespace heddle::controlled
