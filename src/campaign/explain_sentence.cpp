#include "campaign/explain_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "campaign/describe.h"
#include "campaign/explain.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

constexpr unsigned kMostWaiters = 4;

std::string blocked_sentence(const RunOutcome& outcome, EventNames& names) {
  std::string text;
  unsigned told = 0;
  for (unsigned i = 0; i < outcome.blocked_count && told < kMostWaiters; ++i) {
    const BlockedThread& thread = outcome.blocked[i];
    if (thread.waiting_in == EventKind::thread_join && outcome.blocked_count > 1) continue;
    ++told;
    text += fmt::format("{}{} waits in {} for {}", text.empty() ? "" : "; ",
                        names.thread(thread.thread), names.place(thread.site),
                        names.object(thread.object));
    if (thread.holder != kNoThread) {
      text += fmt::format(", held by {}", names.thread(thread.holder));
      if (thread.holder_site.value != 0) text += " since " + names.place(thread.holder_site);
    }
  }
  return text.empty() ? "all threads wait for ever." : text + ".";
}

std::string wakeup_sentence(const Explanation& explanation, const RunOutcome& outcome,
                            EventNames& names) {
  if (explanation.decisive.size() == 2) {
    const DecisiveEvent& wakes = explanation.decisive[0];
    const DecisiveEvent& waits = explanation.decisive[1];
    return fmt::format(
        "{} waits in {} for ever: the wake-up by {} in {} came before it waited, or went to "
        "another, and nothing repeats it.",
        waits.thread_name, waits.place, wakes.thread_name, wakes.place);
  }
  return blocked_sentence(outcome, names);
}

std::string stall_sentence(const SentenceFacts& facts, EventNames& names) {
  const auto stall = std::ranges::find(facts.decisions, DecisionKind::timeout, &Decision::kind);
  std::string text = "a sleep or timeout is relied on for order";
  if (stall != facts.decisions.end()) {
    text = fmt::format("it needs a stall of {}: the others fall behind while {} sleeps or waits",
                       show_duration(std::chrono::nanoseconds(stall->amount)),
                       names.thread(stall->to));
  }
  if (facts.first && facts.second) {
    text += fmt::format(", so {} comes before {}", facts.first->place, facts.second->place);
  }
  return text + ".";
}

std::string pair_sentence(BugClass bug, const SentenceFacts& facts) {
  if (!facts.first || !facts.second) return "no schedule near it passes, so no pair decides.";
  const DecisiveEvent& first = *facts.first;
  const DecisiveEvent& second = *facts.second;
  switch (bug) {
    case BugClass::data_race:
      return fmt::format(
          "{} and {} use {} without a common lock, and {} comes between {} and {} of {}.",
          first.thread_name, second.thread_name, first.object, first.place, facts.before->place,
          second.place, second.thread_name);
    case BugClass::atomicity:
      if (facts.before) {
        return fmt::format(
            "{} relies on {} from {} to {}, but {} gets in between with {}: the two must be one "
            "step.",
            second.thread_name, first.object, facts.before->place, second.place, first.thread_name,
            first.place);
      }
      return fmt::format(
          "{} comes when {} is only half done: it has not reached {} yet, and what belongs to {} "
          "must change in one step.",
          first.place, second.thread_name, second.place, first.object);
    default:
      return fmt::format("{} must not come before {}, but nothing makes {} wait for {}.",
                         first.place, second.place, first.thread_name, second.thread_name);
  }
}

}  // namespace

std::string_view bug_class_name(BugClass bug) {
  switch (bug) {
    case BugClass::unknown:
      return "unknown";
    case BugClass::data_race:
      return "data race";
    case BugClass::atomicity:
      return "atomicity";
    case BugClass::order_violation:
      return "order violation";
    case BugClass::deadlock:
      return "deadlock";
    case BugClass::lost_wakeup:
      return "lost wake-up";
    case BugClass::livelock:
      return "livelock";
    case BugClass::sleep_as_synchronisation:
      return "sleep-as-synchronisation";
    case BugClass::teardown:
      return "teardown";
  }
  return "unknown";
}

std::string explain_sentence(const Explanation& explanation, const SentenceFacts& facts,
                             EventNames& names) {
  const RunOutcome& outcome = *facts.outcome;
  switch (explanation.bug) {
    case BugClass::deadlock:
      return blocked_sentence(outcome, names);
    case BugClass::lost_wakeup:
      return wakeup_sentence(explanation, outcome, names);
    case BugClass::livelock:
      return fmt::format("{} polls {} in {} for ever: nobody changes it any more.",
                         names.thread(outcome.livelock_thread),
                         names.object(outcome.livelock_object), names.place(outcome.livelock_site));
    case BugClass::sleep_as_synchronisation:
      return stall_sentence(facts, names);
    case BugClass::teardown:
      if (explanation.decisive.size() == 2) {
        return fmt::format("{} is still at work when main has finished: {} and {} are not ordered.",
                           explanation.decisive[1].thread.value != 0
                               ? explanation.decisive[1].thread_name
                               : explanation.decisive[0].thread_name,
                           explanation.decisive[0].place, explanation.decisive[1].place);
      }
      return "a thread is still at work when main has finished, and nobody waits for it.";
    default:
      return pair_sentence(explanation.bug, facts);
  }
}

}  // namespace heddle::campaign
