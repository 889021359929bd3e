#include "campaign/minimise_failure.h"

#include "campaign/describe.h"
#include "campaign/reproduce.h"
#include "campaign/site_names.h"

namespace heddle::campaign {

namespace {

constexpr unsigned kReplays = 20;

Trial trial_of(RunSlot& slot, const Judgement& expected) {
  Trial trial;
  trial.done = slot.done;
  if (!slot.done) return trial;
  trial.wants_release_points = slot.record.outcome.wants_release_points != 0;
  trial.widths = std::move(slot.record.widths);
  trial.new_points = std::move(slot.record.new_points);
  if ((slot.record.input.plan.flags & kPlanRecordPoints) != 0) {
    if (slot.capture) trial.points = std::move(slot.capture->decisions);
    return trial;
  }
  // Naming places is what costs; another kind of failure is another failure.
  if (slot.suspicion.kind != expected.kind || !slot.capture) return trial;
  SiteNames sites(slot.capture->modules);
  const Judgement judgement = describe(slot.record, *slot.capture, slot.suspicion, sites);
  trial.same_failure = judgement.failed() && judgement.signature == expected.signature &&
                       slot.record.outcome.decisions_dropped == 0;
  if (!trial.same_failure) return trial;
  trial.decisions = std::move(slot.capture->decisions);
  trial.cost = cost_of(slot.record.outcome, trial.decisions);
  return trial;
}

}  // namespace

TryAll crew_trials(Crew& crew, const Judgement& expected,
                   std::optional<std::chrono::steady_clock::time_point> until,
                   std::function<void()> tick) {
  return [&crew, expected, until, tick = std::move(tick)](std::span<const RunInput> inputs,
                                                          TrialMode mode) {
    Work work;
    work.stop_at_failure = mode == TrialMode::first_same;
    work.until = until;
    work.capture_all = !inputs.empty() && (inputs.front().plan.flags & kPlanRecordPoints) != 0;
    if (tick) work.tick = [&](std::size_t) { tick(); };
    std::vector<Trial> trials;
    while (trials.size() < inputs.size()) {
      work.inputs = inputs.subspan(trials.size());
      std::vector<RunSlot> slots = crew.execute(work);
      const std::size_t before = trials.size();
      for (RunSlot& slot : slots) {
        if (!slot.done) break;
        trials.push_back(trial_of(slot, expected));
        if (mode == TrialMode::first_same && trials.back().same_failure) {
          trials.resize(inputs.size());
          return trials;
        }
        // The crew stops at any failure; one that is another's must not end the search.
        if (mode == TrialMode::first_same && slot.suspicion.kind != FailureKind::none) break;
      }
      if (trials.size() == before) break;
    }
    trials.resize(inputs.size());
    return trials;
  };
}

// A fifth of the time is for the replays of what was found, without which it is worth nothing.
static std::optional<std::chrono::steady_clock::time_point> end_of_search(
    const MinimiseRequest& request) {
  if (!request.until) return {};
  const auto left = *request.until - std::chrono::steady_clock::now();
  return *request.until - left / 5;
}

MinimisedFailure minimise_failure(Crew& crew, const MinimiseRequest& request) {
  MinimisedFailure minimised;
  const TryAll try_all = crew_trials(crew, request.expected, end_of_search(request), request.tick);
  RunInput input = request.input;
  if (request.expected.kind == FailureKind::livelock) input.plan.flags |= kPlanShortIdle;
  minimised.schedule = minimise(input, request.new_points, try_all, request.limits);
  if (!minimised.schedule.reproduced && request.expected.kind == FailureKind::livelock) {
    minimised.schedule = minimise(request.input, request.new_points, try_all, request.limits);
  }
  minimised.schedule.input.plan.flags &= ~static_cast<std::uint32_t>(kPlanShortIdle);
  if (!minimised.schedule.reproduced) return minimised;
  ReproductionRequest again;
  again.input = minimised.schedule.input;
  again.expected = request.expected;
  again.times = kReplays;
  again.until = request.until;
  Reproduction reproduction = reproduce(crew, again, request.tick);
  minimised.replays = static_cast<unsigned>(reproduction.attempts.size());
  minimised.replays_same = reproduction.same;
  minimised.cut_short = reproduction.cut_short;
  if (minimised.replays_same < kReplays || !reproduction.capture) return minimised;
  minimised.capture = std::move(reproduction.capture);
  minimised.record = std::move(reproduction.captured_record);
  minimised.record.input.plan.flags &= ~static_cast<std::uint32_t>(kPlanRecordTrace | kPlanStacks);
  minimised.judgement = std::move(reproduction.judgement);
  return minimised;
}

void adopt(Failure& failure, MinimisedFailure minimised) {
  if (!minimised.capture) return;
  OriginalRun original;
  original.record = std::move(failure.record);
  original.capture.decisions = std::move(failure.capture.decisions);
  failure.original = std::move(original);
  failure.record = std::move(minimised.record);
  failure.capture = *std::move(minimised.capture);
  failure.judgement = std::move(minimised.judgement);
}

}  // namespace heddle::campaign
