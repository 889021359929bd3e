#include "runtime/controlled/engine.h"

#include "runtime/controlled/cancel.h"
#include "runtime/controlled/clock.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/other_processes.h"
#include "runtime/controlled/outside.h"
#include "runtime/controlled/recorder.h"
#include "runtime/controlled/signals.h"
#include "runtime/controlled/verdict.h"
#include "runtime/controlled/world.h"
#include "runtime/controlled/world_waits.h"
#include "schedule/stalls.h"

namespace heddle::controlled {

constinit Engine g_engine{};

namespace {

// Failed tries without a thread beginning or ending, before chance has a say in who is next.
constexpr std::uint64_t kTriesBeforeShaking = 1000;
// Steps in which nothing changed and everybody polls, before the same.
constexpr std::uint64_t kIdleBeforeShaking = 1000;
// Everybody is looked at again after so much effort: who was passed over all the time?
constexpr std::uint64_t kBetweenLooks = 1000;
// Picks that chance makes when somebody was passed over for long.
constexpr std::uint32_t kShakenPicks = 64;

}  // namespace

// Now and then a thread that polls in vain goes on all the same: its patience may be limited, and what it does then is
// behaviour too. The same in every run with the same history, so that a replay has the same candidates.
bool insists(const Task& task) {
  return combine(task.path_hash, task.points + g_engine.step) % 8 == 0;
}

bool enabled_now(const Task& task) {
  return task.ready == nullptr || has_signals(task) || task.ready(task) ||
         cancellation_ends_wait(task);
}

// How far a child is with what the task waits for is chance, and does not decide who can go on.
static bool counts_as_ready(const Task& task) {
  return task.patient && is_with_child(task.wait_object);
}

static bool enabled(const Task& task) { return counts_as_ready(task) || enabled_now(task); }

// The real time of its wait is not over, and somebody outside may still end it.
static bool outlasts(const Task& task) {
  return task.real_until != 0 && real_now() < task.real_until;
}

// By noise it lets others go first, so many times; of two that do, the one who is nearer to the end of it goes on.
static bool gives_way(const Task& task, const Task* from) {
  if (task.noise_yields == 0 || &task == from) return false;
  return from == nullptr || from->noise_yields == 0 || task.noise_yields >= from->noise_yields;
}

// What the clock says when its wait is over because of its deadline.
static std::uint64_t time_is_up(const Task& task) {
  return task.honest_deadline > task.deadline ? task.honest_deadline : task.deadline;
}

static bool has_its_share(const Task& task, unsigned levels) {
  return combine(task.path_hash, task.points + g_engine.step) % (levels + 1) == 0;
}

// Noise keeps it no longer, whatever the clock says.
static bool held_long_enough(const Task& task) {
  return task.held_until != 0 && g_engine.step >= task.held_until;
}

bool never_ready(const Task&) { return false; }
bool when_notified(const Task& task) { return task.notified; }

// One stall is bounded by the plan, and all of a run together, or a patient program that tries for a minute, a little
// later each time, would run out of patience while nothing has happened.
bool Engine::may_stall(std::uint64_t nanoseconds) const {
  constexpr std::uint64_t kTimesInAll = 4;
  const std::uint64_t longest = control->plan.max_stall_ns;
  if (nanoseconds > longest) return false;
  return longest > kNever / kTimesInAll || stalled + nanoseconds <= kTimesInAll * longest;
}

// Fills `candidates`, ascending by thread: whoever can go on now. Threads that only poll what has not changed are mostly
// left out while somebody else can go on.
void Engine::collect(Task* from) {
  run_timers(now);
  candidates.clear();
  bool someone_else = false;
  std::size_t polling = 0;
  // At the same points whatever the strategy is asked, so that a replay casts the same dice.
  const bool looking = effort() >= look_at;
  bool starves = false;
  for (std::uint32_t i = live_from; i < task_count; ++i) {
    Task& task = tasks[i];
    if (task.state != TaskState::live) {
      const bool over = task.state == TaskState::ended || task.state == TaskState::unused;
      if (i == live_from && over) ++live_from;
      continue;
    }
    bool stall = false;
    // Looks at which it could not go on do not count.
    const std::uint64_t passed_over_since = task.passed_over_since;
    if (looking) {
      const std::uint64_t later = passed_over_since + kBetweenLooks;
      task.passed_over_since = &task == from || later > effort() ? effort() : later;
    }
    if (!enabled(task)) {
      if (task.deadline == kNever || outlasts(task)) continue;
      if (task.deadline > now && !held_long_enough(task)) {
        // What noise holds is held: a stall of the others would undo it.
        if (!stalls || task.held_until != 0) continue;
        if (!may_stall(time_is_up(task) - now)) continue;
        stall = true;
      }
    }
    PendingOperation operation = task.pending;
    operation.stall = stall ? 1 : 0;
    operation.points = static_cast<std::uint32_t>(task.points);
    const bool held_back = (task.halted && !held_long_enough(task)) || gives_way(task, from);
    const bool vain = task.polling.in_vain(changes);
    if (!held_back && !stall) {
      if (&task != from) task.passed_over_since = passed_over_since;
      starves = starves || effort() - task.passed_over_since > passed_over_limit;
    }
    if (held_back || vain || stall) {
      ++polling;
      if (held_back || (vain && shaken_left == 0 && !insists(task))) continue;
    } else {
      someone_else = true;
    }
    candidates.push_back(operation);
  }
  if (looking) look_at = effort() + kBetweenLooks;
  if (looking && starves && shaken_left == 0) {
    shaken_left = kShakenPicks;
    // Who starves again after that has waited enough.
    if (passed_over_limit > 10 * kBetweenLooks) passed_over_limit /= 4;
  }
  if (someone_else) {
    if (noisy) apply_noise();
    return;
  }
  if (polling == 0) return;
  // Nobody makes progress by itself. A stall alone is no reason to go on: let time pass in order (advance_clock).
  candidates.clear();
  for (std::uint32_t i = live_from; i < task_count; ++i) {
    Task& task = tasks[i];
    if (task.state != TaskState::live) continue;
    const bool waits = (task.deadline > now && !held_long_enough(task)) || outlasts(task);
    if (!enabled(task) && waits) continue;
    PendingOperation operation = task.pending;
    operation.stall = 0;
    operation.points = static_cast<std::uint32_t>(task.points);
    candidates.push_back(operation);
  }
}

// What noise says of who may go on: inverseNoise lets one thread alone, priorities leave out the less urgent, but not for
// ever: of two threads that are n levels apart the less urgent has about one turn in n + 1, as nice values share a
// processor. Who gives way does so for everybody.
void Engine::apply_noise() {
  if (inverse_left > 0) {
    for (const PendingOperation& candidate : candidates) {
      if (candidate.thread != inverse_task->id) continue;
      const PendingOperation alone = candidate;
      candidates.clear();
      candidates.push_back(alone);
      --inverse_left;
      return;
    }
    inverse_left = 0;  // it blocks: the others go on
  }
  std::uint8_t most_urgent = 255;
  for (const PendingOperation& candidate : candidates) {
    const Task& task = tasks[candidate.thread.value];
    if (candidate.stall == 0 && !task.yielding && task.noise_priority < most_urgent) {
      most_urgent = task.noise_priority;
    }
  }
  std::size_t kept = 0;
  for (const PendingOperation& candidate : candidates) {
    const Task& task = tasks[candidate.thread.value];
    if (task.noise_priority > most_urgent &&
        !has_its_share(task, task.noise_priority - most_urgent))
      continue;
    candidates[kept++] = candidate;
  }
  candidates.resize_down(kept);
}

// `to` goes on: whoever gives way has done so once more.
void Engine::count_yields(Task& to) {
  for (std::uint32_t i = live_from; i < task_count; ++i) {
    if (tasks[i].noise_yields > 0) --tasks[i].noise_yields;
  }
  to.noise_yields = 0;
}

// Lets virtual time pass to the next timer. False if there is none.
bool Engine::advance_clock() {
  std::uint64_t earliest = next_timer();
  for (std::uint32_t i = live_from; i < task_count; ++i) {
    const Task& task = tasks[i];
    if (task.state == TaskState::live && task.ready != nullptr && task.deadline < earliest &&
        task.deadline > now && task.real_until == 0) {
      earliest = task.deadline;
    }
  }
  if (earliest == kNever) return false;
  if (task_count > 2) note_circle();
  now = earliest;
  time_jumped();
  return true;
}

bool Engine::following() const {
  if (replay == nullptr) return false;
  const bool free_rest =
      replay_continues && (replay->first_missed() != nullptr || replay->finished());
  return !free_rest;
}

const Decision* Engine::recorded(DecisionKind kind, const Task& from) {
  return replay == nullptr ? nullptr : replay->take(kind, from.id, from.points);
}

void Engine::note_divergence() {
  RunOutcome& outcome = control->outcome;
  if (replay == nullptr || outcome.diverged != 0 || replay->first_missed() == nullptr) return;
  const Decision& missed = *replay->first_missed();
  outcome.diverged = 1;
  outcome.diverged_step = missed.step;
  outcome.diverged_wanted = missed.to;
  outcome.diverged_got = replay->got_instead();
  outcome.diverged_site = missed.site;
}

std::size_t Engine::pick(const SchedulePoint& point) {
  end_lease();
  const bool follows = following();  // and the decision that it takes now may be the last
  const std::size_t theirs = strategy->pick(point, prng);
  // Who is in the way of a thread that is passed over may wait for it, and change something at each turn, so that nobody can tell.
  const bool passed_over = shaken_left > 0;
  if (passed_over) --shaken_left;
  // Threads that keep trying and backing off may do so in step for ever under a regular order; chance separates them.
  // Where all poll, one that is never let on may be the one whose patience is limited.
  const bool shaken = fair || passed_over ||
                      (failed_tries > kTriesBeforeShaking && rescue_prng.chance(1, 4)) ||
                      (idle_polls > kIdleBeforeShaking && rescue_prng.chance(1, 16));
  if (!shaken) return theirs;
  std::size_t index = rescue_prng.below(point.candidates.size());
  while (point.candidates[index].stall != 0) index = rescue_prng.below(point.candidates.size());
  // A replay casts the same dice, so that they are where they were when its last decision is behind it.
  return follows ? theirs : index;
}

// Asks the strategy for how long it knows who goes on.
bool Engine::renew_lease(Task& from) {
  end_lease();
  SchedulePoint point{};
  point.step = step;
  point.current = from.id;
  point.now_ns = now;
  point.current_can_run = true;
  point.current_points = from.points;
  point.current_site = from.pending.site;
  lease_left = strategy->goes_on_for(point);
  on_lease = lease_left > 0 ? &from : nullptr;
  return on_lease != nullptr;
}

void Engine::end_lease() {
  if (lease_used > 0) strategy->went_on(lease_used);
  lease_used = 0;
  on_lease = nullptr;
}

// Most points change nothing. Where the strategy knows that without a look at the others, nobody takes one.
[[gnu::always_inline]] inline bool Engine::goes_on(Task& from) {
  if (from.polling.goes_on() || from.yielding || fair || failed_tries > kTriesBeforeShaking ||
      from.state != TaskState::live || g_world_waits.descriptors != 0 ||
      g_world_waits.signals != 0 || effort() >= look_at || shaken_left > 0) {
    return false;
  }
  if (from.ready != nullptr && !counts_as_ready(from) && !from.ready(from)) return false;
  if (on_lease != &from && !renew_lease(from)) return false;
  ++lease_used;
  if (--lease_left == 0) end_lease();
  run_timers(now);
  idle_polls = still_since = 0;
  clock_leap = 0;
  if (records_accesses) accesses.note(from.pending);
  from.timed_out = false;
  return true;
}

[[gnu::always_inline]] inline void Engine::take_step(Task& from) {
  ++from.points;
  if (++step >= even_until) [[unlikely]]
    begin_even_steps();
  now += step_ns;
  from.worked_ns += step_ns;
  __atomic_store_n(&control->progress, step, __ATOMIC_RELAXED);
}

Task* Engine::choose(Task& from, SwitchReason reason) {
  take_step(from);
  take_in_returned(from);
  if (chooses_plainly && reason == SwitchReason::preempted && goes_on(from)) return &from;
  return choose_among(from, reason);
}

Task* Engine::choose_among(Task& from, SwitchReason reason) {
  for (bool first = true;; first = false) {
    if (!first) {
      take_in_returned(from);
      if (chooses_plainly && reason == SwitchReason::preempted && goes_on(from)) return &from;
    }
    collect(&from);
    if (!candidates.empty()) {
      if (!everybody_polls(*this)) break;
      // All that can go on only wait for a change: a timer may bring it, or somebody outside.
      if (advance_clock()) continue;
      break;
    }
    if (somebody_outside()) {
      wait_for_outside();
      continue;
    }
    if (advance_clock()) continue;
    if (nobody_left(*this)) return nullptr;
    if (!note_circle() && unseen_may_act()) {
      wait_for_outside();
      continue;
    }
    if (wakes_blocked()) continue;
    judge_blocked();
  }

  SchedulePoint point{};
  point.candidates = {candidates.begin(), candidates.size()};
  point.step = step;
  point.current = from.id;
  point.now_ns = now;
  point.current_yields = from.yielding || from.polling.goes_on() || from.noise_yields > 0;
  point.current_points = from.points;
  point.current_site = from.pending.site;
  for (const PendingOperation& candidate : candidates) {
    if (candidate.thread == from.id && candidate.stall == 0) point.current_can_run = true;
  }
  const std::size_t fallback = default_candidate(point);

  const std::size_t index = pick(point);
  note_divergence();
  check(index < candidates.size(), "a strategy picks one of the candidates");
  const PendingOperation picked = candidates[index];
  Task& to = tasks[picked.thread.value];

  if (index != fallback || (control->plan.flags & kPlanRecordPoints) != 0) {
    Decision decision{};
    decision.step = step;
    decision.from_step = from.points;
    decision.site = from.pending.site;
    decision.from = from.id;
    decision.to = to.id;
    decision.kind = picked.stall != 0 ? DecisionKind::timeout : DecisionKind::run;
    decision.amount = picked.stall != 0 ? time_is_up(to) - now : 0;
    decision.reason = reason != SwitchReason::preempted ? reason
                      : !point.current_can_run          ? SwitchReason::blocked
                      : point.current_yields            ? SwitchReason::yielded
                                                        : SwitchReason::preempted;
    decision.candidates = static_cast<std::uint16_t>(candidates.size());
    record(*control, decision);
  }
  if ((control->plan.flags & kPlanRecordWidths) != 0) record_width(*this, point);
  if (records_accesses) accesses.note(picked);
  if (picked.stall != 0) {
    const std::uint64_t stall = time_is_up(to) - now;
    if (stall > control->outcome.stall_ns) control->outcome.stall_ns = stall;
    stalled += stall;
    now = time_is_up(to);
    time_jumped();
    run_timers(now);  // what it looks at when it wakes up
  }
  if (&to != &from) {
    from.passed_over_since = to.passed_over_since = effort();
    ++control->outcome.switches;
    if (point.current_can_run && !point.current_yields && reason == SwitchReason::preempted) {
      ++control->outcome.preemptions;
    }
  }
  to.timed_out = !enabled(to);
  if (to.timed_out) keep_clock_honest(to);
  if (noisy) count_yields(to);
  return &to;
}

}  // namespace heddle::controlled
