#include "campaign/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "campaign/describe.h"
#include "campaign/dfs_plan.h"
#include "campaign/explain_align.h"
#include "campaign/explain_class.h"
#include "campaign/explain_finding.h"
#include "campaign/explain_names.h"
#include "campaign/explain_sentence.h"
#include "campaign/minimise_edits.h"
#include "campaign/minimise_failure.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kBatch = 16;
constexpr std::size_t kMostEdited =
    12;  // decisions, the last ones: they are nearest to the failure
constexpr std::uint64_t kSystematicRuns = 300;  // where no neighbour passes
constexpr unsigned kMeasured = 20;
constexpr std::int64_t kMoves[] = {1, 2, 3, 4, 6, -1, -2};

struct PassingRun {
  RunInput input;
  RunCapture capture;
};

class Explainer {
 public:
  Explainer(Crew& crew, const ExplainRequest& request)
      : crew_(crew),
        request_(request),
        names_(request.capture->modules, request.capture->threads, request.capture->heap) {}

  Explanation run();

 private:
  const Decisions& decisions() const { return *request_.input.replay; }
  std::vector<Decisions> neighbours() const;
  bool try_neighbours();
  bool try_systematically();
  std::vector<RunSlot> execute(std::span<const RunInput> inputs);
  void measure(Explanation& explanation);
  void find_decisive(Explanation& explanation, const std::optional<FlippedPair>& pair);
  bool decisive_of_blocked(Explanation& explanation);
  DecisiveEvent event(std::size_t number);
  DecisiveEvent operation(ThreadId thread, SiteId site, ObjectId object);
  std::optional<std::size_t> last_event(const std::function<bool(const Event&)>& wanted) const;

  Crew& crew_;
  const ExplainRequest& request_;
  EventNames names_;
  std::optional<PassingRun> passing_;
};

// Nearest first: a decision a little later or earlier, then without it.
std::vector<Decisions> Explainer::neighbours() const {
  std::vector<Decisions> all;
  const std::size_t length = decisions().size();
  const std::size_t first = length > kMostEdited ? length - kMostEdited : 0;
  for (const std::int64_t points : kMoves) {
    for (std::size_t i = length; i-- > first;) {
      Decisions moved = decisions();
      if (move_decision(moved, i, points)) all.push_back(std::move(moved));
    }
  }
  for (std::size_t i = length; i-- > first;) {
    all.push_back(without_range(decisions(), i, i + 1));
  }
  if (length > 1) all.emplace_back();
  return all;
}

std::vector<RunSlot> Explainer::execute(std::span<const RunInput> inputs) {
  Work work;
  work.inputs = inputs;
  work.capture_all = true;
  work.until = request_.until;
  if (request_.tick) work.tick = [&](std::size_t) { request_.tick(); };
  return crew_.execute(work);
}

bool Explainer::try_neighbours() {
  const std::vector<Decisions> all = neighbours();
  for (std::size_t begin = 0; begin < all.size(); begin += kBatch) {
    std::vector<RunInput> inputs;
    for (std::size_t i = begin; i < std::min(all.size(), begin + kBatch); ++i) {
      inputs.push_back(request_.input);
      inputs.back().replay = std::make_shared<const Decisions>(all[i]);
      inputs.back().plan.flags |= kPlanRecordTrace;
    }
    std::vector<RunSlot> slots = execute(inputs);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (!slots[i].done) return false;
      if (slots[i].suspicion.kind != FailureKind::none) continue;
      passing_ = PassingRun{inputs[i], *std::move(slots[i].capture)};
      return true;
    }
  }
  return false;
}

// The default itself fails, or so does all that is near: any schedule with at most one preemption that passes will do.
bool Explainer::try_systematically() {
  RunInput like = request_.input;
  std::memset(like.plan.strategy.name, 0, sizeof like.plan.strategy.name);
  std::memcpy(like.plan.strategy.name, "dfs", 3);
  like.plan.flags &= ~static_cast<std::uint32_t>(kPlanFollow | kPlanFreeAfterDrift | kPlanStalls);
  like.plan.flags |= kPlanRecordWidths | kPlanRecordTrace;
  DfsPlan plan(1);
  for (std::uint64_t runs = 0; runs < kSystematicRuns;) {
    std::vector<DfsPlan::Prefix> prefixes;
    std::vector<RunInput> inputs;
    while (prefixes.size() < kBatch) {
      std::optional<DfsPlan::Prefix> prefix = plan.next();
      if (!prefix) break;
      inputs.push_back(like);
      inputs.back().replay = std::make_shared<const Decisions>(prefix->choices);
      prefixes.push_back(*std::move(prefix));
    }
    if (inputs.empty()) return false;
    runs += inputs.size();
    std::vector<RunSlot> slots = execute(inputs);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (!slots[i].done) return false;
      plan.ran(prefixes[i], slots[i].record.widths);
      if (slots[i].suspicion.kind != FailureKind::none) continue;
      passing_ = PassingRun{request_.input, *std::move(slots[i].capture)};
      passing_->input.replay = std::make_shared<const Decisions>(passing_->capture.decisions);
      return true;
    }
  }
  return false;
}

void Explainer::measure(Explanation& explanation) {
  const auto failed = [&](const RunInput& input, unsigned& runs) {
    const std::vector<RunInput> inputs(kMeasured, input);
    const TryAll try_all = crew_trials(crew_, request_.expected, request_.until, request_.tick);
    unsigned count = 0;
    for (const Trial& trial : try_all(inputs, TrialMode::all)) {
      runs += trial.done ? 1 : 0;
      count += trial.same_failure ? 1 : 0;
    }
    return count;
  };
  explanation.this_failed = failed(request_.input, explanation.this_runs);
  if (passing_) explanation.other_failed = failed(passing_->input, explanation.other_runs);
}

DecisiveEvent Explainer::event(std::size_t number) {
  const Event& event = request_.capture->trace[number];
  DecisiveEvent decisive = operation(event.thread, event.site, event.object);
  decisive.number = number;
  return decisive;
}

DecisiveEvent Explainer::operation(ThreadId thread, SiteId site, ObjectId object) {
  DecisiveEvent decisive;
  decisive.thread = thread;
  decisive.thread_name = names_.thread(thread);
  decisive.function = names_.function(site);
  decisive.place = names_.place(site);
  decisive.object = names_.object(object);
  return decisive;
}

std::optional<std::size_t> Explainer::last_event(
    const std::function<bool(const Event&)>& wanted) const {
  const std::vector<Event>& trace = request_.capture->trace;
  for (std::size_t i = trace.size(); i-- > 0;) {
    if (wanted(trace[i])) return i;
  }
  return std::nullopt;
}

// Who waits for ever, and what should have come before it or been given back.
bool Explainer::decisive_of_blocked(Explanation& explanation) {
  const RunOutcome& outcome = request_.record->outcome;
  for (unsigned i = 0; i < outcome.blocked_count; ++i) {
    const BlockedThread& blocked = outcome.blocked[i];
    if (blocked.waiting_in == EventKind::thread_join) continue;
    const DecisiveEvent waits = operation(blocked.thread, blocked.site, blocked.object);
    const bool lock = blocked.holder != kNoThread && blocked.holder_site.value != 0;
    if (explanation.bug == BugClass::deadlock && lock) {
      DecisiveEvent takes = operation(blocked.holder, blocked.holder_site, blocked.object);
      takes.number = last_event([&](const Event& e) {
        return e.thread == blocked.holder && e.object == blocked.object && takes_lock(e);
      });
      explanation.decisive = {takes, waits};
      return true;
    }
    if (explanation.bug == BugClass::lost_wakeup) {
      const std::optional<std::size_t> wake = last_event([&](const Event& e) {
        const bool wakes = e.kind == EventKind::cond_signal ||
                           e.kind == EventKind::cond_broadcast || e.kind == EventKind::futex_wake ||
                           e.kind == EventKind::sem_post;
        return wakes && e.object == blocked.object && e.thread != blocked.thread;
      });
      if (!wake) continue;
      explanation.decisive = {event(*wake), waits};
      return true;
    }
  }
  return false;
}

void Explainer::find_decisive(Explanation& explanation, const std::optional<FlippedPair>& pair) {
  if (request_.expected.kind == FailureKind::deadlock && decisive_of_blocked(explanation)) return;
  if (pair) {
    // An interruption: what was relied on, and what came in between. Else the two whose order is wrong.
    const bool between = explanation.bug == BugClass::atomicity && pair->before;
    explanation.decisive = between ? std::vector{event(*pair->before), event(pair->first)}
                                   : std::vector{event(pair->first), event(pair->second)};
    return;
  }
  const std::vector<Event>& trace = request_.capture->trace;
  const RunOutcome& outcome = request_.record->outcome;
  if (explanation.bug == BugClass::livelock) {
    const DecisiveEvent polls =
        operation(outcome.livelock_thread, outcome.livelock_site, outcome.livelock_object);
    const std::optional<std::size_t> changed = last_event([&](const Event& e) {
      return e.object == outcome.livelock_object && is_memory_write(e.kind) &&
             e.thread != outcome.livelock_thread;
    });
    if (changed) explanation.decisive = {event(*changed), polls};
  } else if (explanation.bug == BugClass::deadlock && outcome.blocked_count > 0) {
    for (unsigned i = 0; i < outcome.blocked_count; ++i) {
      const BlockedThread& blocked = outcome.blocked[i];
      if (blocked.waiting_in == EventKind::thread_join) continue;
      const std::optional<std::size_t> other = last_event(
          [&](const Event& e) { return e.object == blocked.object && e.thread != blocked.thread; });
      if (!other) continue;
      explanation.decisive = {event(*other),
                              operation(blocked.thread, blocked.site, blocked.object)};
      return;
    }
  } else if (explanation.bug == BugClass::teardown && !trace.empty()) {
    const auto of_main = last_event([](const Event& e) { return e.thread.value == 0; });
    const auto of_other = last_event(
        [](const Event& e) { return e.thread.value != 0 && e.kind != EventKind::thread_exit; });
    if (of_main && of_other) explanation.decisive = {event(*of_main), event(*of_other)};
  }
}

Explanation Explainer::run() {
  Explanation explanation;
  if (!request_.input.replay) return explanation;
  names_.learn_threads(request_.capture->trace);
  if (!try_neighbours()) try_systematically();
  const std::vector<Event>& trace = request_.capture->trace;
  ClassEvidence evidence;
  evidence.kind = request_.expected.kind;
  evidence.outcome = &request_.record->outcome;
  evidence.failing = trace;
  evidence.decisions = decisions();
  if (passing_) {
    evidence.passing = passing_->capture.trace;
    evidence.pair = find_flipped(trace, passing_->capture.trace);
  }
  explanation.bug = classify(evidence);
  find_decisive(explanation, evidence.pair);
  measure(explanation);
  SentenceFacts facts;
  facts.outcome = evidence.outcome;
  facts.decisions = decisions();
  if (evidence.pair) {
    facts.first = event(evidence.pair->first);
    facts.second = event(evidence.pair->second);
    if (evidence.pair->before) facts.before = event(*evidence.pair->before);
  }
  explanation.sentence = explain_sentence(explanation, facts, names_);
  return explanation;
}

}  // namespace

Explanation explain(Crew& crew, const ExplainRequest& request) {
  if (request.expected.kind == FailureKind::finding) {
    if (std::optional<Explanation> known = explain_finding(request)) return *std::move(known);
  }
  return Explainer(crew, request).run();
}

}  // namespace heddle::campaign
