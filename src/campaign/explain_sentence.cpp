#include "campaign/explain_sentence.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "campaign/describe.h"
#include "campaign/explain.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

constexpr unsigned kMostWaiters = 4;

// A reader that holds the lock already does not get it once more while somebody waits to write, if writers go first.
std::string behind_writer(const BlockedThread& reader, const RunOutcome& outcome,
                          EventNames& names) {
  if (reader.waiting_in != EventKind::rwlock_rdlock) return {};
  for (unsigned i = 0; i < outcome.blocked_count; ++i) {
    const BlockedThread& writer = outcome.blocked[i];
    if (writer.object == reader.object && writer.waiting_in == EventKind::rwlock_wrlock) {
      return fmt::format(" to read, and behind {}, which waits to write",
                         names.thread(writer.thread));
    }
  }
  return {};
}

// A thread that waits for another to end is mostly not to blame, unless somebody waits for what it holds.
bool is_told(const BlockedThread& thread, const RunOutcome& outcome) {
  if (thread.waiting_in != EventKind::thread_join || outcome.blocked_count == 1) return true;
  const std::span<const BlockedThread> blocked(outcome.blocked, outcome.blocked_count);
  return std::ranges::any_of(blocked, [&](const BlockedThread& other) {
    return other.holder == thread.thread && other.waiting_in != EventKind::thread_join;
  });
}

// Whoever has ended gives nothing back.
bool has_ended(ThreadId thread, const RunOutcome& outcome) {
  const std::span<const BlockedThread> blocked(outcome.blocked, outcome.blocked_count);
  return outcome.verdict == Verdict::deadlock && outcome.blocked_count < kMaxBlockedThreads &&
         std::ranges::find(blocked, thread, &BlockedThread::thread) == blocked.end();
}

// "the child that main forked (main log.c:15) waits in write_line log.c:10 for lock, which T1 logger held (since …) when …".
std::string child_sentence(const BlockedThread& child, const std::string& taken,
                           EventNames& names) {
  const std::string since = taken.empty() ? std::string() : fmt::format(" (since {})", taken);
  return fmt::format(
      "the child that {} forked ({}) waits in {} for {}, which {} held{} when it was forked: "
      "nobody unlocks it there.",
      names.thread(child.thread), names.place(child.signal_site), names.waiting_place(child),
      names.object(child.object), names.thread(child.holder), since);
}

std::string blocked_sentence(const SentenceFacts& facts, EventNames& names) {
  const RunOutcome& outcome = *facts.outcome;
  std::string text;
  unsigned told = 0;
  for (unsigned i = 0; i < outcome.blocked_count && told < kMostWaiters; ++i) {
    const BlockedThread& thread = outcome.blocked[i];
    if (thread.in_forked_child != 0) return child_sentence(thread, facts.taken[i], names);
    if (!is_told(thread, outcome)) continue;
    ++told;
    if (thread.waiting_in == EventKind::thread_join && thread.holder != kNoThread) {
      text +=
          fmt::format("{}{} waits in {} for {} to end", text.empty() ? "" : "; ",
                      names.thread(thread.thread), facts.waiting[i], names.thread(thread.holder));
      continue;
    }
    text += fmt::format("{}{} waits in {} for {}", text.empty() ? "" : "; ",
                        names.thread(thread.thread), facts.waiting[i], names.object(thread.object));
    if (thread.holder != kNoThread) {
      const bool itself = thread.holder == thread.thread;
      text += fmt::format(", held by {}", itself ? "itself" : names.thread(thread.holder));
      if (thread.holder_site.value != 0) text += " since " + facts.taken[i];
      if (itself) text += behind_writer(thread, outcome, names);
      if (has_ended(thread.holder, outcome)) text += ", which has ended without giving it back";
    }
  }
  return text.empty() ? "all threads wait for ever." : text + ".";
}

std::string wakeup_sentence(const Explanation& explanation, const SentenceFacts& facts,
                            EventNames& names) {
  const RunOutcome& outcome = *facts.outcome;
  const std::span<const BlockedThread> blocked(outcome.blocked, outcome.blocked_count);
  for (const LostWakeup lost : {LostWakeup::to_another, LostWakeup::too_early}) {
    const bool is_so =
        std::ranges::find(blocked, lost, &BlockedThread::lost_wakeup) != blocked.end();
    if (!is_so || explanation.decisive.size() < 2) continue;
    const bool waited_first = lost == LostWakeup::to_another;
    const DecisiveEvent& wakes = explanation.decisive[waited_first ? 1 : 0];
    const DecisiveEvent& waits = explanation.decisive[waited_first ? 0 : 1];
    const std::string by = fmt::format("by {} in {}", wakes.thread_name, wakes.place);
    return fmt::format("{} waits in {} for ever: {}, and nothing repeats it.", waits.thread_name,
                       waits.place, lost_wakeup_text(lost, by));
  }
  for (std::size_t i = 0; i < blocked.size(); ++i) {
    if (blocked[i].lost_wakeup == LostWakeup::no) continue;
    return fmt::format("{} waits in {} for ever: {}.", names.thread(blocked[i].thread),
                       facts.waiting[i], lost_wakeup_text(blocked[i].lost_wakeup, {}));
  }
  return blocked_sentence(facts, names);
}

// "T1 r waits in receive chan.cpp:20 for ever: "; empty if nobody does.
std::string waits_rightly(const SentenceFacts& facts, EventNames& names) {
  const RunOutcome& outcome = *facts.outcome;
  if (outcome.verdict != Verdict::deadlock) return {};
  for (unsigned i = 0; i < outcome.blocked_count; ++i) {
    if (outcome.blocked[i].waiting_in == EventKind::thread_join) continue;
    return fmt::format("{} waits in {} for ever: ", names.thread(outcome.blocked[i].thread),
                       facts.waiting[i]);
  }
  return {};
}

// "reads counter", "changes counter", "would write counter" if that is not in this run; what is done to anything but memory
// is told by its place.
std::string does(const DecisiveEvent& event) {
  const bool reads = is_memory_read(event.kind);
  const std::string_view verb = event.kind == EventKind::freed ? "free"
                                : is_memory_write(event.kind)  ? (reads ? "change" : "write")
                                : reads                        ? "read"
                                                               : "use";
  if (!event.number) return fmt::format("would {} {}", verb, event.object);
  return fmt::format("{}s {}", verb, event.object);
}

// "T2 check reads b (check reorder.c:41) before T1 set writes it (set reorder.c:35)".
std::string order_of(const DecisiveEvent& first, const DecisiveEvent& second) {
  DecisiveEvent again = second;
  if (again.object == first.object) again.object = "it";
  return fmt::format("{} {} ({}) before {} {} ({})", first.thread_name, does(first), first.place,
                     second.thread_name, does(again), second.place);
}

// Between which two steps of whom the other came; empty if nobody was in the middle of anything.
std::string between(const SentenceFacts& facts) {
  if (!facts.interrupted && !facts.resumed) return {};
  const DecisiveEvent& begun = facts.interrupted ? *facts.interrupted : *facts.first;
  const DecisiveEvent& ended = facts.interrupted ? *facts.second : *facts.resumed;
  if (begun.place == ended.place) {
    return fmt::format("{} is between two steps of {} then", begun.thread_name, begun.place);
  }
  return fmt::format("{} is between {} and {} then", begun.thread_name, begun.place, ended.place);
}

std::string stall_sentence(const SentenceFacts& facts, EventNames& names) {
  const auto stall = std::ranges::find(facts.decisions, DecisionKind::timeout, &Decision::kind);
  std::string text = "a sleep or timeout is relied on for order";
  if (stall != facts.decisions.end()) {
    text = fmt::format("it needs a stall of {}: the others fall behind while {} sleeps or waits",
                       show_duration(std::chrono::nanoseconds(stall->amount)),
                       names.thread(stall->to));
  }
  if (facts.first && facts.second) text += ", and " + order_of(*facts.first, *facts.second);
  return text + ".";
}

std::string pair_sentence(const Explanation& explanation, const SentenceFacts& facts) {
  if (!facts.first || !facts.second) {
    return facts.passes ? "schedules near it pass, but no two events were found whose order tells "
                          "them apart."
           : explanation.cut_short ? "the time ran out before a schedule near it was found that "
                                     "passes, so no pair is known."
                                   : "no schedule tried near it passes, so no pair decides.";
  }
  const DecisiveEvent& first = *facts.first;
  const DecisiveEvent& second = *facts.second;
  if (second.kind == EventKind::fork) {
    return fmt::format("{} holds {} (since {}) when {} forks ({}): in the child nobody unlocks it.",
                       first.thread_name, first.object, first.place, second.thread_name,
                       second.place);
  }
  const std::string order = order_of(first, second);
  switch (explanation.bug) {
    case BugClass::data_race:
      if (const std::string where = between(facts); !where.empty()) {
        return fmt::format("{}; {}, and no common lock keeps them apart.", order, where);
      }
      return order + "; no common lock or other order keeps them apart.";
    case BugClass::atomicity:
      return fmt::format("{}; {}, and nothing keeps the two together.", order, between(facts));
    case BugClass::teardown: {
      const DecisiveEvent& other = second.thread.value != 0 ? second : first;
      return fmt::format("{} is still at work when what it uses is given up: {}.",
                         other.thread_name, order);
    }
    default:
      return fmt::format("{}, and nothing makes {} wait for {}.", order, first.thread_name,
                         second.thread_name);
  }
}

// "T3 goes on from its wait in acquire a.c:11 without looking again: slots is as it was when it began to wait. ".
std::string goes_on_unchecked(const SentenceFacts& facts) {
  const DecisiveEvent& waits = *facts.unchecked_wait;
  const bool one = facts.unchecked_objects.size() == 1;
  return fmt::format("{} goes on from its wait in {} without looking again: {} {} when it began. ",
                     waits.thread_name, waits.place, fmt::join(facts.unchecked_objects, " and "),
                     one ? "is as it was" : "are as they were");
}

std::string sentence_of(const Explanation& explanation, const SentenceFacts& facts,
                        EventNames& names) {
  const RunOutcome& outcome = *facts.outcome;
  switch (explanation.bug) {
    case BugClass::deadlock:
      return blocked_sentence(facts, names);
    case BugClass::lost_wakeup:
      return wakeup_sentence(explanation, facts, names);
    case BugClass::livelock:
      return fmt::format("{} polls {} in {} for ever: nobody changes it any more.",
                         names.thread(outcome.livelock_thread),
                         names.object(outcome.livelock_object),
                         names.own_place(outcome.livelock_site, outcome.livelock_calls.sites));
    case BugClass::sleep_as_synchronisation:
      return stall_sentence(facts, names);
    case BugClass::teardown:
      if (facts.first) return pair_sentence(explanation, facts);
      return "a thread is still at work when main has finished, and nobody waits for it.";
    default:
      return waits_rightly(facts, names) + pair_sentence(explanation, facts);
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
  std::string text = sentence_of(explanation, facts, names);
  if (facts.unchecked_wait) text = goes_on_unchecked(facts) + text;
  if (explanation.bug == BugClass::deadlock && facts.outcome->verdict != Verdict::deadlock) {
    text += " Nothing else could run until time had passed; then the program ended itself.";
  }
  const auto by_itself =
      std::ranges::find(facts.decisions, DecisionKind::spurious, &Decision::kind);
  if (by_itself == facts.decisions.end()) return text;
  return fmt::format("{} It needs {} to wake up without a signal, as POSIX allows.", text,
                     names.thread(by_itself->to));
}

}  // namespace heddle::campaign
