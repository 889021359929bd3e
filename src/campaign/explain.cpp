#include "campaign/explain.h"

#include <algorithm>

#include "campaign/explain_align.h"
#include "campaign/explain_class.h"
#include "campaign/explain_decisive.h"
#include "campaign/explain_events.h"
#include "campaign/explain_finding.h"
#include "campaign/explain_pair.h"
#include "campaign/explain_passing.h"
#include "campaign/explain_sentence.h"
#include "campaign/explain_wait.h"
#include "campaign/minimise_failure.h"

namespace heddle::campaign {

namespace {

constexpr unsigned kMeasured = 20;

// "Sink" of "Sink::~Sink"; empty if it is no destructor.
std::string_view destroyed_class(std::string_view function) {
  const std::size_t at = function.rfind("::~");
  return at == std::string_view::npos ? std::string_view{} : function.substr(0, at);
}

// "Sink" of "Sink::write", but not of its constructor: that is of an object of its own.
bool is_method_of(std::string_view function, std::string_view name) {
  if (!function.starts_with(name) || !function.substr(name.size()).starts_with("::")) return false;
  const std::string_view method = function.substr(name.size() + 2);
  const std::string_view last = name.substr(name.rfind(':') + 1);  // of all if there is no colon
  return !method.starts_with('~') && !method.starts_with(last);
}

// "handles[1]" of "handles[1].lock", "[96 B from a.c:7]" of "[96 B from a.c:7]+8".
std::string enclosing(const std::string& object) {
  return object.substr(0, object.find_last_of(".+"));
}

std::vector<std::string> functions_of(const DecisiveEvent& event) {
  std::vector<std::string> functions{event.function};
  for (const std::string& place : event.stack) functions.push_back(EventNames::function_of(place));
  return functions;
}

// One destroys an object while the other is in a method of its class.
bool destroys(const DecisiveEvent& one, const DecisiveEvent& other) {
  for (const std::string& destructor : functions_of(one)) {
    const std::string_view name = destroyed_class(destructor);
    if (name.empty() || name.starts_with("std::")) continue;
    for (const std::string& method : functions_of(other)) {
      if (is_method_of(method, name)) return true;
    }
  }
  return false;
}

class Explainer {
 public:
  Explainer(Crew& crew, const ExplainRequest& request)
      : crew_(crew), request_(request), events_(*request.record, *request.capture) {}

  Explanation run();

 private:
  const std::vector<Event>& trace() const { return events_.trace(); }
  void measure(Explanation& explanation);
  std::vector<DecisiveEvent> decisive(BugClass bug);
  std::optional<UncheckedWait> unchecked_wait() const;
  ClassEvidence evidence();
  SentenceFacts facts();
  bool outside_main(const RunCapture& capture, std::size_t number) const;
  bool gives_up(std::size_t number);
  DecisiveEvent first_of_pair() { return events_.event(pair_->first); }
  DecisiveEvent second_of_pair() {
    return pair_->second_passing ? events_.event_of(passing_->capture, pair_->second)
                                 : events_.event(pair_->second);
  }

  Crew& crew_;
  const ExplainRequest& request_;
  ExplainedEvents events_;
  std::optional<PassingRun> passing_;
  std::optional<FlippedPair> pair_;
};

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

// Of the thread that came to the failure, else of one of the pair.
std::optional<UncheckedWait> Explainer::unchecked_wait() const {
  if (trace().empty()) return std::nullopt;
  const SamePlace same_place = [&](std::size_t one, std::size_t other) {
    return trace()[one].site == trace()[other].site ||
           events_.places_of(events_.capture(), one) == events_.places_of(events_.capture(), other);
  };
  std::vector<ThreadId> threads = {trace().back().thread};
  if (pair_) {
    threads.push_back(trace()[pair_->first].thread);
    if (!pair_->second_passing) threads.push_back(trace()[pair_->second].thread);
  }
  for (const ThreadId thread : threads) {
    if (auto found = find_unchecked_wait(trace(), thread, same_place)) return found;
  }
  return std::nullopt;
}

// The thread of this event has destroyed a lock, or the like, of the object that it changes here.
bool Explainer::gives_up(std::size_t number) {
  const Event& changes = trace()[number];
  if (!is_memory_write(changes.kind)) return false;
  const std::string object = enclosing(events_.names().object(changes.object));
  for (std::size_t i = 0; i < number; ++i) {
    const Event& event = trace()[i];
    const bool destroys =
        event.kind == EventKind::mutex_destroy || event.kind == EventKind::cond_destroy ||
        event.kind == EventKind::rwlock_destroy || event.kind == EventKind::sem_destroy ||
        event.kind == EventKind::barrier_destroy;
    if (destroys && event.thread == changes.thread &&
        enclosing(events_.names().object(event.object)) == object) {
      return true;
    }
  }
  return false;
}

// An event of the main thread that main() did not lead to: exit handlers and static destructors.
bool Explainer::outside_main(const RunCapture& capture, std::size_t number) const {
  if (capture.trace[number].thread.value != 0 || capture.calls.callers(number).empty())
    return false;
  return std::ranges::none_of(events_.places_of(capture, number), [](const std::string& place) {
    return EventNames::function_of(place) == "main";
  });
}

std::vector<DecisiveEvent> Explainer::decisive(BugClass bug) {
  std::vector<DecisiveEvent> told;
  if (bug == BugClass::deadlock) told = decisive_of_deadlock(events_);
  if (bug == BugClass::lost_wakeup) told = decisive_of_lost_wakeup(events_);
  if (!told.empty()) return told;
  if (pair_) return {first_of_pair(), second_of_pair()};
  if (bug == BugClass::livelock) return decisive_of_livelock(events_);
  if (bug == BugClass::deadlock) return decisive_of_wait(events_);
  if (bug == BugClass::teardown) return decisive_of_teardown(events_);
  return {};
}

ClassEvidence Explainer::evidence() {
  ClassEvidence evidence;
  evidence.kind = request_.expected.kind;
  evidence.message = request_.expected.message;
  evidence.outcome = &events_.outcome();
  evidence.failing = trace();
  evidence.decisions = *request_.input.replay;
  if (passing_) evidence.passing = passing_->capture.trace;
  if (pair_) {
    evidence.pair = pair_;
    evidence.outside_main =
        outside_main(events_.capture(), pair_->first) ||
        outside_main(pair_->second_passing ? passing_->capture : events_.capture(), pair_->second);
    evidence.destroys = destroys(first_of_pair(), second_of_pair()) ||
                        destroys(second_of_pair(), first_of_pair()) || gives_up(pair_->first);
  }
  return evidence;
}

SentenceFacts Explainer::facts() {
  SentenceFacts facts;
  facts.outcome = &events_.outcome();
  facts.decisions = *request_.input.replay;
  facts.passes = passing_.has_value();
  for (const BlockedThread& blocked : events_.blocked_threads()) {
    facts.waiting.push_back(events_.waiting(blocked).place);
    facts.taken.push_back(events_.taken_place(blocked));
  }
  if (pair_) {
    facts.first = first_of_pair();
    facts.second = second_of_pair();
    if (pair_->interrupted) facts.interrupted = events_.event(*pair_->interrupted);
    if (pair_->resumed) facts.resumed = events_.event(*pair_->resumed);
  }
  if (const std::optional<UncheckedWait> unchecked = unchecked_wait()) {
    facts.unchecked_wait = events_.event(unchecked->waits);
    facts.unchecked_objects = events_.objects_of(unchecked->looks);
  }
  return facts;
}

Explanation Explainer::run() {
  Explanation explanation;
  if (!request_.input.replay) return explanation;
  passing_ = nearest_passing(crew_, request_);
  if (passing_) pair_ = passing_->pair;
  const Classification classification = classify(evidence());
  explanation.bug = classification.bug;
  explanation.detail = classification.detail;
  explanation.decisive = decisive(explanation.bug);
  measure(explanation);
  explanation.cut_short = explanation.other_runs == 0 && request_.until &&
                          std::chrono::steady_clock::now() >= *request_.until;
  explanation.sentence = explain_sentence(explanation, facts(), events_.names());
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
