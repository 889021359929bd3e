#include "campaign/reproduce.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "campaign/describe.h"
#include "campaign/findings.h"
#include "campaign/lost_wakeup.h"
#include "campaign/site_names.h"

namespace heddle::campaign {

RunInput replay_input(const RunRecord& record, const RunCapture& capture) {
  RunInput input = record.input;
  input.want_accesses = false;
  input.want_decisions = false;
  input.plan.metrics = 0;
  if (record.outcome.decisions_dropped > 0) return input;
  input.replay = std::make_shared<const std::vector<Decision>>(capture.decisions);
  input.plan.replay_prefix = kUnlimited;
  follow_decisions(input.plan);
  return input;
}

void follow_decisions(RunPlan& plan) {
  plan.flags &= ~static_cast<std::uint32_t>(kPlanRecordWidths | kPlanFollow | kPlanFreeAfterDrift);
  if (plan.replay_prefix != kUnlimited) return;
  plan.flags |= kPlanFollow;
  // dfs has no way of its own, it is nothing but a prefix; and a minimal schedule (replay) leaves all else to the default.
  const std::string_view strategy(plan.strategy.name);
  if (strategy != "dfs" && strategy != "replay") plan.flags |= kPlanFreeAfterDrift;
}

static std::string divergence_text(const RunOutcome& outcome, SiteNames& sites) {
  if (outcome.diverged == 0) return {};
  std::string text =
      fmt::format("it left the recorded schedule at decision {}", outcome.diverged_step);
  if (outcome.diverged_site.value != 0) {
    text += fmt::format(" in {}", sites.name(outcome.diverged_site));
  }
  if (outcome.diverged_wanted != kNoThread && outcome.diverged_got != kNoThread) {
    text += fmt::format(", where thread {} was to run and thread {} did",
                        outcome.diverged_wanted.value, outcome.diverged_got.value);
  }
  return text;
}

Reproduction reproduce(Crew& crew, const ReproductionRequest& request,
                       const std::function<void()>& tick) {
  std::vector<RunInput> inputs(request.times, request.input);
  for (RunInput& input : inputs) input.plan.flags |= kPlanRecordTrace | kPlanStacks;
  Work work;
  work.inputs = inputs;
  work.capture_all = true;
  work.alone = true;
  work.until = request.until;
  if (tick) work.tick = [&](std::size_t) { tick(); };
  std::vector<RunSlot> slots = crew.execute(work);

  Reproduction reproduction;
  for (RunSlot& slot : slots) {
    if (!slot.done) continue;
    Attempt attempt;
    attempt.record = std::move(slot.record);
    SiteNames sites(slot.capture->modules);
    attempt.judgement = describe(attempt.record, *slot.capture, slot.suspicion, sites);
    attempt.divergence = divergence_text(attempt.record.outcome, sites);
    attempt.same_failure =
        attempt.judgement.failed() && attempt.judgement.signature == request.expected.signature;
    if (request.expected.kind == FailureKind::finding) {
      // A run may show several; it is judged by the first.
      for (const Finding& finding : attempt.record.findings) {
        Judgement judgement = describe_finding(finding, attempt.record, sites);
        if (judgement.signature != request.expected.signature) continue;
        attempt.same_failure = true;
        attempt.judgement = std::move(judgement);
        break;
      }
    }
    attempt.same_events =
        request.event_hash == 0 || attempt.record.outcome.event_hash == request.event_hash;
    if (!attempt.judgement.failed()) ++reproduction.passed;
    if (attempt.same_failure) {
      ++reproduction.same;
      if (!reproduction.capture) {
        reproduction.capture = *std::move(slot.capture);
        reproduction.captured_record = attempt.record;
      }
    } else if (attempt.judgement.failed() && !reproduction.other_capture) {
      reproduction.other_capture = *std::move(slot.capture);
      reproduction.other_attempt = reproduction.attempts.size();
    }
    slot.capture.reset();
    reproduction.attempts.push_back(std::move(attempt));
  }
  reproduction.cut_short = reproduction.attempts.size() < request.times && request.until &&
                           std::chrono::steady_clock::now() >= *request.until;
  if (!reproduction.capture) return reproduction;
  const auto same = std::ranges::find(reproduction.attempts, true, &Attempt::same_failure);
  reproduction.judgement = same->judgement;
  if (request.expected.kind == FailureKind::deadlock) {
    find_lost_wakeups(crew, reproduction.captured_record, request.until);
    SiteNames sites(reproduction.capture->modules);
    reproduction.judgement = describe_blocked(reproduction.captured_record.outcome, sites);
  }
  return reproduction;
}

void adopt(Failure& failure, Reproduction reproduction) {
  failure.replays = static_cast<unsigned>(reproduction.attempts.size());
  failure.replays_same = reproduction.same;
  failure.reproduced = reproduction_text(reproduction);
  if (!reproduction.capture) return;
  // The program's words and the decisions are those of the run that failed.
  failure.capture.trace = std::move(reproduction.capture->trace);
  failure.capture.trace_count = reproduction.capture->trace_count;
  failure.capture.calls = std::move(reproduction.capture->calls);
  failure.capture.heap = std::move(reproduction.capture->heap);
  failure.capture.allocation_calls = std::move(reproduction.capture->allocation_calls);
  failure.judgement.message = reproduction.judgement.message;
  std::ranges::copy(reproduction.captured_record.outcome.blocked, failure.record.outcome.blocked);
}

std::string reproduction_text(const Reproduction& reproduction) {
  const std::size_t times = reproduction.attempts.size();
  if (times == 0) {
    return reproduction.cut_short ? "not replayed: the time ran out" : "not replayed: interrupted";
  }
  std::string text = fmt::format("{}/{}", reproduction.same, times);
  if (reproduction.cut_short) text += " before the time ran out";
  if (reproduction.same == times) return text;
  for (const Attempt& attempt : reproduction.attempts) {
    if (attempt.same_failure) continue;
    std::string reason;
    if (!attempt.divergence.empty()) {
      reason = attempt.divergence;
    } else if (!attempt.same_events) {
      reason = "the same decisions led to other events: something outside heddle's control decides";
    } else {
      reason = "the same events ended in another way";
    }
    const std::string came = attempt.judgement.failed()
                                 ? fmt::format("it ended in '{}'", attempt.judgement.message)
                                 : std::string("it passed");
    return fmt::format("{}, because {} ({})", text, reason, came);
  }
  return text;
}

}  // namespace heddle::campaign
