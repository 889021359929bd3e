#include "runtime/controlled/disturb.h"

#include "noise/mixer.h"
#include "runtime/controlled/waiters.h"

namespace heddle::controlled {

namespace {

constinit NoiseMixer g_mixer;
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

}  // namespace

void begin_noise() {
  NoiseSettings settings = g_engine.control->plan.noise;
  settings.budget_percent = 0;  // a delay costs nothing here, so there is nothing to save
  // The run's own stream, apart from the strategy's: the same noise whatever decides who is next.
  Prng prng(combine(g_engine.control->plan.seed, 0x6e6f697365));
  g_engine.noisy = g_mixer.begin_run(settings, nullptr, prng) && g_mixer.active();
}

void disturb(Task& self, const Intent& intent, EventPhase phase) {
  if (intent.by_noise || !g_mixer.looks_at(phase)) return;
  Event event{};
  event.step = g_engine.step;
  event.object = self.pending.object;
  event.site = self.pending.site;
  event.argument = intent.argument;
  event.thread = self.id;
  event.kind = intent.kind;
  event.phase = phase;
  event.size = intent.size;
  event.order = intent.order;
  const Disturbance disturbance = g_mixer.at(event, self.noise, self.thread->prng);
  if (!disturbance) return;
  carry_out(self, intent, disturbance);
}

std::uint64_t tampered(Task& self, std::uint64_t deadline) {
  if (!g_engine.noisy || deadline == kNever || deadline <= g_engine.now) return deadline;
  return g_engine.now + g_mixer.shorten(deadline - g_engine.now, self.thread->prng);
}

}  // namespace heddle::controlled
