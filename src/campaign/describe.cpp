#include "campaign/describe.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "campaign/findings.h"
#include "campaign/last_words.h"
#include "contract/descriptor_kind.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

std::string with_words(std::string title, const std::string& words) {
  return words.empty() ? title : fmt::format("{}: {}", title, words);
}

Judgement describe_timeout(const RunRecord& record, SiteNames& sites) {
  Judgement judgement;
  judgement.kind = FailureKind::timeout;
  switch (record.outcome.verdict) {
    case Verdict::step_limit:
      judgement.message =
          fmt::format("it went on for {} scheduling points without ending", record.outcome.steps);
      judgement.signature = "timeout | steps";
      break;
    case Verdict::stuck: {
      judgement.message = "nothing can run, and a thread waits outside heddle's control";
      judgement.signature = "timeout | stuck";
      for (unsigned i = 0; i < record.outcome.blocked_count; ++i) {
        judgement.signature += " | " + sites.waiting(record.outcome.blocked[i]);
      }
      break;
    }
    default:
      judgement.message = fmt::format("it had not ended after {:.1f} s", record.seconds);
      // Known if it had waited for the world outside for a while already.
      for (unsigned i = 0; i < record.outcome.blocked_count; ++i) {
        const BlockedThread& thread = record.outcome.blocked[i];
        if (thread.waiting_in == EventKind::thread_join) continue;
        judgement.message +=
            fmt::format(": it waits for {} in {} that somebody outside may still give it",
                        with_article(waiting_for(thread)), sites.waiting(thread));
        break;
      }
      judgement.signature = "timeout | deadline";
  }
  return judgement;
}

}  // namespace

static std::string_view descriptor_word(ObjectId object) {
  switch (descriptor_kind(object)) {
    case DescriptorKind::pipe:
      return "pipe";
    case DescriptorKind::socket:
      return "socket";
    case DescriptorKind::event_counter:
      return "eventfd";
    case DescriptorKind::set:
      return "set of epoll";
    case DescriptorKind::semaphores:
      return "semaphore";
    case DescriptorKind::several:
    case DescriptorKind::other:
      break;
  }
  return "descriptor";
}

std::string_view waiting_for(const BlockedThread& thread) {
  const EventKind kind = thread.waiting_in;
  if (object_kind(thread.object) == ObjectKind::descriptor) return descriptor_word(thread.object);
  const auto value = static_cast<unsigned>(kind);
  if (kind == EventKind::thread_join) return "thread";
  if (value >= 10 && value < 16) return "mutex";
  if (value >= 16 && value < 20) return "spin lock";
  if (value >= 20 && value < 30) return "reader-writer lock";
  if (value >= 30 && value < 40) return "condition variable";
  if (value >= 40 && value < 44) return "barrier";
  if (value >= 44 && value < 50) return "semaphore";
  if (kind == EventKind::once) return "once";
  if (value >= 52 && value < 56) return "futex";
  return "event";
}

std::string_view blocked_title(const RunOutcome& outcome) {
  for (unsigned i = 0; i < outcome.blocked_count; ++i) {
    if (outcome.blocked[i].lost_wakeup != LostWakeup::no) return "lost wake-up";
  }
  return "deadlock";
}

std::string lost_wakeup_text(LostWakeup lost, std::string_view by) {
  switch (lost) {
    case LostWakeup::no:
      return {};
    case LostWakeup::too_early:
      return fmt::format("the wake-up {} came before it waited", by);
    case LostWakeup::to_another:
      return fmt::format("the wake-up {} went to another", by);
    case LostWakeup::never_sent:
      return "what it waits for has come, and nobody woke it";
  }
  return {};
}

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  return name != nullptr ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
}

Judgement describe_blocked(const RunOutcome& outcome, SiteNames& sites) {
  std::vector<std::string> places;
  for (unsigned i = 0; i < outcome.blocked_count; ++i) {
    const BlockedThread& thread = outcome.blocked[i];
    places.push_back(fmt::format("{} in {}{}", waiting_for(thread), sites.waiting(thread),
                                 thread.in_forked_child != 0 ? " in a forked child" : ""));
  }
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  Judgement judgement;
  judgement.kind = FailureKind::deadlock;
  judgement.message =
      outcome.blocked_count == 1 && outcome.blocked[0].in_forked_child != 0
          ? "deadlock: a forked child must wait for ever"
          : fmt::format("{}: {} {} wait for ever", blocked_title(outcome), outcome.blocked_count,
                        outcome.blocked_count == 1 ? "thread must" : "threads");
  judgement.signature = "deadlock";
  for (const std::string& place : places) judgement.signature += " | " + place;
  return judgement;
}

Judgement describe(const RunRecord& record, const RunCapture& capture, const Suspicion& suspicion,
                   SiteNames& sites) {
  Judgement judgement;
  judgement.kind = suspicion.kind;
  const LastWords words = last_words(capture);
  // Output alone may say anything; stderr is where failures are told.
  const std::string told =
      words.known_check() ? words.signature() : normalise(last_words(capture.err.text).rest);
  switch (suspicion.kind) {
    case FailureKind::none:
      break;
    case FailureKind::crash: {
      const std::string signal = signal_text(WTERMSIG(record.wait_status));
      std::string title = fmt::format("killed by {}", signal);
      judgement.signature = fmt::format("crash | {} | {}", signal, told);
      // A check says where it is; all else is told apart by the function it died in.
      const RunOutcome& outcome = record.outcome;
      if (outcome.crash_site.value != 0 && !words.known_check()) {
        const std::string place = sites.own(outcome.crash_site, outcome.crash_calls.sites);
        const std::string function = place.substr(0, place.rfind(' '));
        // All lambdas of a program may have this name: the line tells which.
        judgement.signature += " | in " + (function == "operator()" ? place : function);
        title += " in " + place;
      }
      judgement.message = with_words(title, words.line());
      break;
    }
    case FailureKind::exit: {
      const int status = WEXITSTATUS(record.wait_status);
      judgement.message = with_words(fmt::format("exit status {}", status), words.line());
      judgement.signature = fmt::format("exit | {} | {}", status, told);
      break;
    }
    case FailureKind::deadlock:
      return describe_blocked(record.outcome, sites);
    case FailureKind::livelock: {
      const RunOutcome& outcome = record.outcome;
      const std::string place = sites.own(outcome.livelock_site, outcome.livelock_calls.sites);
      judgement.message = fmt::format("livelock: threads keep polling in {}", place);
      judgement.signature = fmt::format("livelock | {}", place);
      break;
    }
    case FailureKind::timeout:
      return describe_timeout(record, sites);
    case FailureKind::finding:
      return describe_finding(record.findings[suspicion.finding], record, sites);
    case FailureKind::output:
      judgement.message =
          suspicion.pattern.empty()
              ? fmt::format("unexpected output: {}", suspicion.text)
              : fmt::format("output matches '{}': {}", suspicion.pattern, suspicion.text);
      judgement.signature = suspicion.pattern.empty()
                                ? "output | differs from what was expected"
                                : fmt::format("output | {}", suspicion.pattern);
      break;
  }
  // What the program said may be anything; this is stored and compared.
  judgement.message = as_utf8(judgement.message);
  judgement.signature = as_utf8(judgement.signature);
  return judgement;
}

}  // namespace heddle::campaign
