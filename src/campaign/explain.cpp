#include "campaign/explain.h"

#include <algorithm>
#include <functional>

#include "campaign/explain_align.h"
#include "campaign/explain_class.h"
#include "campaign/explain_finding.h"
#include "campaign/explain_names.h"
#include "campaign/explain_pair.h"
#include "campaign/explain_passing.h"
#include "campaign/explain_sentence.h"
#include "campaign/explain_wait.h"
#include "campaign/lost_wakeup.h"
#include "campaign/minimise_failure.h"
#include "campaign/trace_locks.h"

namespace heddle::campaign {

namespace {

constexpr unsigned kMeasured = 20;
constexpr std::size_t kMostFrames = 8;
constexpr std::size_t kMostObjects = 3;

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
      : crew_(crew),
        request_(request),
        names_(request.capture->modules, request.capture->threads,
               {request.capture->heap, request.capture->allocation_calls}) {}

  Explanation run();

 private:
  const std::vector<Event>& trace() const { return request_.capture->trace; }
  std::span<const BlockedThread> blocked_threads() const {
    const RunOutcome& outcome = request_.record->outcome;
    return {outcome.blocked, outcome.blocked_count};
  }
  void measure(Explanation& explanation);
  void find_decisive(Explanation& explanation);
  bool decisive_of_blocked(Explanation& explanation);
  bool decisive_of_signal(Explanation& explanation);
  bool decisive_of_lost_wakeup(Explanation& explanation);
  bool decisive_of_wait(Explanation& explanation, LostWakeup lost);
  DecisiveEvent waiting(const BlockedThread& blocked);
  void decisive_of_livelock(Explanation& explanation);
  DecisiveEvent event(std::size_t number) { return event_of(*request_.capture, number, true); }
  DecisiveEvent event_of(const RunCapture& capture, std::size_t number, bool came);
  DecisiveEvent operation(ThreadId thread, SiteId site, ObjectId object);
  std::optional<std::size_t> last_event(const std::function<bool(const Event&)>& wanted) const;
  std::optional<std::size_t> last_of(ThreadId thread) const;
  static void take_places(DecisiveEvent& decisive, std::vector<std::string> places);
  std::vector<std::string> own_places(SiteId site, std::span<const SiteId> calls);
  std::vector<std::string> places_of(const RunCapture& capture, std::size_t number);
  std::string taken_place(const BlockedThread& blocked);
  std::optional<UncheckedWait> unchecked_wait();
  std::vector<std::string> objects_of(std::span<const std::size_t> events);
  bool outside_main(const RunCapture& capture, std::size_t number);
  bool gives_up(std::size_t number);
  DecisiveEvent first_of_pair() { return event(pair_->first); }
  DecisiveEvent second_of_pair() {
    return pair_->second_passing ? event_of(passing_->capture, pair_->second, false)
                                 : event(pair_->second);
  }

  Crew& crew_;
  const ExplainRequest& request_;
  EventNames names_;
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

DecisiveEvent Explainer::event_of(const RunCapture& capture, std::size_t number, bool came) {
  const Event& event = capture.trace[number];
  DecisiveEvent decisive = operation(event.thread, event.site, event.object);
  if (came) decisive.number = number;
  decisive.kind = event.kind;
  std::vector<std::string> places = places_of(capture, number);
  if (!places.empty()) take_places(decisive, std::move(places));
  return decisive;
}

// What happens inside the standard library is the caller's doing.
void Explainer::take_places(DecisiveEvent& decisive, std::vector<std::string> places) {
  decisive.place = places.front();
  decisive.function = EventNames::function_of(decisive.place);
  places.erase(places.begin());
  if (places.size() > kMostFrames) places.resize(kMostFrames);
  decisive.stack = std::move(places);
}

std::vector<std::string> Explainer::own_places(SiteId site, std::span<const SiteId> calls) {
  std::vector<std::string> places = names_.places(site);
  for (const SiteId call : calls) {
    for (std::string& place : names_.places(call)) places.push_back(std::move(place));
  }
  return places;
}

std::vector<std::string> Explainer::places_of(const RunCapture& capture, std::size_t number) {
  return own_places(capture.trace[number].site, capture.calls.callers(number));
}

// Of the thread that came to the failure, else of one of the pair.
std::optional<UncheckedWait> Explainer::unchecked_wait() {
  if (trace().empty()) return std::nullopt;
  const SamePlace same_place = [&](std::size_t one, std::size_t other) {
    return trace()[one].site == trace()[other].site ||
           places_of(*request_.capture, one) == places_of(*request_.capture, other);
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

// Each once, the last ones.
std::vector<std::string> Explainer::objects_of(std::span<const std::size_t> events) {
  std::vector<std::string> objects;
  for (std::size_t i = events.size(); i-- > 0 && objects.size() < kMostObjects;) {
    const std::string& object = names_.object(trace()[events[i]].object);
    if (std::ranges::find(objects, object) == objects.end()) objects.push_back(object);
  }
  std::ranges::reverse(objects);
  return objects;
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
  for (std::size_t i = trace().size(); i-- > 0;) {
    if (wanted(trace()[i])) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> Explainer::last_of(ThreadId thread) const {
  return last_event([&](const Event& event) { return event.thread == thread; });
}

// Who waits for ever for a lock, and who took it and kept it.
bool Explainer::decisive_of_blocked(Explanation& explanation) {
  for (const BlockedThread& blocked : blocked_threads()) {
    const bool by_another = blocked.holder != kNoThread && blocked.holder != blocked.thread;
    if (blocked.waiting_in == EventKind::thread_join || !by_another) continue;
    if (blocked.holder_site.value == 0) continue;
    const bool forked = blocked.in_forked_child != 0;
    // Of a child's lock, what it was forked with counts: what the holder did afterwards does not reach it.
    const std::optional<std::size_t> fork = last_event([&](const Event& e) {
      return forked && e.thread == blocked.thread && e.kind == EventKind::fork &&
             e.site == blocked.signal_site;
    });
    const std::optional<std::size_t> takes = last_event([&](const Event& e) {
      const bool before = !fork || &e < &trace()[*fork];
      return before && e.thread == blocked.holder && e.object == blocked.object && takes_lock(e);
    });
    explanation.decisive = {
        takes ? event(*takes) : operation(blocked.holder, blocked.holder_site, blocked.object),
        fork     ? event(*fork)
        : forked ? operation(blocked.thread, blocked.signal_site, blocked.object)
                 : waiting(blocked)};
    return true;
  }
  return false;
}

// Where its holder took what a thread waits for; empty if nobody holds it.
std::string Explainer::taken_place(const BlockedThread& blocked) {
  if (blocked.holder_site.value == 0) return {};
  const std::optional<std::size_t> takes = last_event([&](const Event& e) {
    return e.thread == blocked.holder && e.object == blocked.object &&
           e.site == blocked.holder_site && takes_lock(e);
  });
  return takes ? event(*takes).place : names_.place(blocked.holder_site);
}

// A handler waits for what its own thread holds: the signal came too soon.
bool Explainer::decisive_of_signal(Explanation& explanation) {
  for (const BlockedThread& blocked : blocked_threads()) {
    const ObjectId thread = make_object(ObjectKind::thread, blocked.thread.value);
    const std::optional<std::size_t> send = last_event(
        [&](const Event& e) { return e.kind == EventKind::signal_send && e.object == thread; });
    if (!send || blocked.holder != blocked.thread) continue;
    explanation.decisive = {event(*send),
                            operation(blocked.thread, blocked.holder_site, blocked.object)};
    return true;
  }
  return false;
}

// The last wake-up, and a thread it did not wake: one that waited already when it came (it went to another), else one that
// came to wait after it.
bool Explainer::decisive_of_lost_wakeup(Explanation& explanation) {
  return decisive_of_wait(explanation, LostWakeup::to_another) ||
         decisive_of_wait(explanation, LostWakeup::too_early);
}

// The last wake-up or token that another thread gave to what a thread waits for.
bool Explainer::decisive_of_wait(Explanation& explanation, LostWakeup lost) {
  for (const BlockedThread& blocked : blocked_threads()) {
    if (blocked.lost_wakeup != lost || blocked.waiting_in == EventKind::thread_join) continue;
    const std::optional<std::size_t> wake = last_event([&](const Event& e) {
      const bool gives = wakes(e.kind) || e.kind == EventKind::sem_post;
      return gives && e.object == blocked.object && e.thread != blocked.thread;
    });
    if (!wake) continue;
    explanation.decisive = {event(*wake), waiting(blocked)};
    // One that went to another came when this one waited already.
    if (lost == LostWakeup::to_another) std::ranges::reverse(explanation.decisive);
    return true;
  }
  return false;
}

// Where it waits may be inside the library: the calls that led there tell whose call that was, and where they are not known what it
// did last.
DecisiveEvent Explainer::waiting(const BlockedThread& blocked) {
  DecisiveEvent waits = operation(blocked.thread, blocked.site, blocked.object);
  std::vector<std::string> places = own_places(blocked.site, blocked.calls.sites);
  if (!places.empty()) {
    take_places(waits, std::move(places));
    return waits;
  }
  const std::optional<std::size_t> last = last_of(blocked.thread);
  if (!last) return waits;
  DecisiveEvent before = event(*last);
  if (trace()[*last].object == blocked.object && waits_for_wakeup(trace()[*last].kind)) {
    waits.place = std::move(before.place);
    waits.function = std::move(before.function);
  }
  waits.stack = std::move(before.stack);
  return waits;
}

// The poll that sees no change any more, and the last change to what it polls.
void Explainer::decisive_of_livelock(Explanation& explanation) {
  const RunOutcome& outcome = request_.record->outcome;
  const std::optional<std::size_t> changed = last_event([&](const Event& e) {
    return e.object == outcome.livelock_object && is_memory_write(e.kind) &&
           e.thread != outcome.livelock_thread;
  });
  if (!changed) return;
  DecisiveEvent polls =
      operation(outcome.livelock_thread, outcome.livelock_site, outcome.livelock_object);
  std::vector<std::string> places = own_places(outcome.livelock_site, outcome.livelock_calls.sites);
  if (!places.empty()) take_places(polls, std::move(places));
  explanation.decisive = {event(*changed), polls};
}

void Explainer::find_decisive(Explanation& explanation) {
  const bool deadlock = explanation.bug == BugClass::deadlock;
  if (deadlock && (decisive_of_blocked(explanation) || decisive_of_signal(explanation))) return;
  if (explanation.bug == BugClass::lost_wakeup && decisive_of_lost_wakeup(explanation)) return;
  if (pair_) {
    explanation.decisive = {first_of_pair(), second_of_pair()};
    return;
  }
  if (explanation.bug == BugClass::livelock) return decisive_of_livelock(explanation);
  if (explanation.bug == BugClass::deadlock && decisive_of_wait(explanation, LostWakeup::no)) {
    return;
  }
  if (explanation.bug == BugClass::teardown) {
    const auto of_main = last_of(ThreadId{0});
    const auto of_other = last_event(
        [](const Event& e) { return e.thread.value != 0 && e.kind != EventKind::thread_exit; });
    if (of_main && of_other) explanation.decisive = {event(*of_main), event(*of_other)};
  }
}

// The thread of this event has destroyed a lock, or the like, of the object that it changes here.
bool Explainer::gives_up(std::size_t number) {
  const Event& changes = trace()[number];
  if (!is_memory_write(changes.kind)) return false;
  const std::string object = enclosing(names_.object(changes.object));
  for (std::size_t i = 0; i < number; ++i) {
    const Event& event = trace()[i];
    const bool destroys =
        event.kind == EventKind::mutex_destroy || event.kind == EventKind::cond_destroy ||
        event.kind == EventKind::rwlock_destroy || event.kind == EventKind::sem_destroy ||
        event.kind == EventKind::barrier_destroy;
    if (destroys && event.thread == changes.thread &&
        enclosing(names_.object(event.object)) == object) {
      return true;
    }
  }
  return false;
}

// An event of the main thread that main() did not lead to: exit handlers and static destructors.
bool Explainer::outside_main(const RunCapture& capture, std::size_t number) {
  const Event& event = capture.trace[number];
  std::vector<SiteId> sites = capture.calls.callers(number);
  if (event.thread.value != 0 || sites.empty()) return false;
  sites.push_back(event.site);
  return std::ranges::none_of(sites, [&](SiteId site) {
    return std::ranges::any_of(names_.places(site), [](const std::string& place) {
      return EventNames::function_of(place) == "main";
    });
  });
}

Explanation Explainer::run() {
  Explanation explanation;
  if (!request_.input.replay) return explanation;
  names_.learn_threads(trace());
  passing_ = nearest_passing(crew_, request_);
  ClassEvidence evidence;
  evidence.kind = request_.expected.kind;
  evidence.message = request_.expected.message;
  evidence.outcome = &request_.record->outcome;
  evidence.failing = trace();
  evidence.decisions = *request_.input.replay;
  if (passing_) {
    evidence.passing = passing_->capture.trace;
    pair_ = passing_->pair;
  }
  if (pair_) {
    evidence.pair = pair_;
    evidence.outside_main =
        outside_main(*request_.capture, pair_->first) ||
        outside_main(pair_->second_passing ? passing_->capture : *request_.capture, pair_->second);
    evidence.destroys = destroys(first_of_pair(), second_of_pair()) ||
                        destroys(second_of_pair(), first_of_pair()) || gives_up(pair_->first);
  }
  const Classification classification = classify(evidence);
  explanation.bug = classification.bug;
  explanation.detail = classification.detail;
  find_decisive(explanation);
  measure(explanation);
  explanation.cut_short = explanation.other_runs == 0 && request_.until &&
                          std::chrono::steady_clock::now() >= *request_.until;
  SentenceFacts facts;
  facts.outcome = evidence.outcome;
  facts.decisions = evidence.decisions;
  facts.passes = passing_.has_value();
  for (const BlockedThread& blocked : blocked_threads()) {
    facts.waiting.push_back(waiting(blocked).place);
    facts.taken.push_back(taken_place(blocked));
  }
  if (pair_) {
    facts.first = first_of_pair();
    facts.second = second_of_pair();
    if (pair_->interrupted) facts.interrupted = event(*pair_->interrupted);
    if (pair_->resumed) facts.resumed = event(*pair_->resumed);
  }
  if (const std::optional<UncheckedWait> unchecked = unchecked_wait()) {
    facts.unchecked_wait = event(unchecked->waits);
    facts.unchecked_objects = objects_of(unchecked->looks);
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
