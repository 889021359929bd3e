#include "report/failure_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "campaign/describe.h"
#include "campaign/site_names.h"
#include "host/text.h"
#include "report/explain_text.h"
#include "report/finding_text.h"
#include "report/status_line.h"

namespace heddle::reports {

namespace {

using campaign::Failure;
using campaign::SiteNames;

constexpr std::size_t kWords = 6;           // last lines of each stream
constexpr std::size_t kWide = 160;          // columns of the program's own text
constexpr std::size_t kFactLines = 8;       // what add_facts() and the commands may take
constexpr std::size_t kEvidenceFrames = 3;  // of each stack of a finding
constexpr std::size_t kBlocked = 12;        // threads of a deadlock

// What the program printed may hold anything: escape codes must not reach the user's terminal.
std::string printable(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, kWide)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte >= 0x20 && byte != 0x7f ? c : (c == '\t' ? ' ' : '?');
  }
  if (text.size() > kWide) result += "…";
  return result;
}

void add_words(std::vector<std::string>& lines, std::string_view title, const std::string& text) {
  std::vector<std::string_view> said = split(text, '\n');
  while (!said.empty() && trim(said.back()).empty()) said.pop_back();
  if (said.empty()) return;
  const std::size_t skipped = said.size() > kWords ? said.size() - kWords : 0;
  lines.push_back(skipped == 0
                      ? fmt::format("{}:", title)
                      : fmt::format("{} (last {} of {} lines):", title, kWords, said.size()));
  for (std::size_t i = skipped; i < said.size(); ++i) lines.push_back("  | " + printable(said[i]));
}

std::string thread_text(const Failure& failure, ThreadId thread, SiteNames& sites) {
  if (thread.value == 0) return "main thread";
  if (thread.value < failure.capture.threads.size()) {
    const SiteId routine = failure.capture.threads[thread.value].start_routine;
    const std::string function = sites.function(routine);
    if (!function.empty()) return fmt::format("thread {} ({})", thread.value, function);
  }
  return fmt::format("thread {}", thread.value);
}

void add_blocked(std::vector<std::string>& lines, const Failure& failure) {
  const RunOutcome& outcome = failure.record.outcome;
  if (outcome.blocked_count == 0) return;
  SiteNames sites(failure.capture.modules);
  lines.push_back("who waits for what:");
  const std::size_t shown = std::min<std::size_t>(outcome.blocked_count, kBlocked);
  for (std::size_t i = 0; i < shown; ++i) {
    const BlockedThread& blocked = outcome.blocked[i];
    const bool forked = blocked.in_forked_child != 0;
    std::string line = fmt::format("  {}{} waits for ", forked ? "a child forked by the " : "",
                                   thread_text(failure, blocked.thread, sites));
    if (blocked.waiting_in == EventKind::thread_join && blocked.holder != kNoThread) {
      line += fmt::format("{} to end, in {}", thread_text(failure, blocked.holder, sites),
                          sites.waiting(blocked));
    } else {
      line += fmt::format("{} in {}", with_article(campaign::waiting_for(blocked)),
                          sites.waiting(blocked));
      if (blocked.holder != kNoThread) {
        line += fmt::format(", held by {} since {}{}", thread_text(failure, blocked.holder, sites),
                            sites.name(blocked.holder_site), forked ? " when it was forked" : "");
      } else if (blocked.lost_wakeup != LostWakeup::no) {
        line += "; " + campaign::lost_wakeup_text(blocked.lost_wakeup,
                                                  "in " + sites.name(blocked.signal_site));
      }
    }
    lines.push_back(std::move(line));
  }
  if (shown < outcome.blocked_count) {
    lines.push_back(fmt::format("  and {} more", outcome.blocked_count - shown));
  }
}

void add_facts(std::vector<std::string>& lines, const Failure& failure) {
  const RunOutcome& outcome = failure.record.outcome;
  std::string found = fmt::format("found in run {} by {}", failure.first_run, failure.strategy);
  if (outcome.steps > 0) {
    found += fmt::format(": {}, {}, {}", counted(outcome.thread_count, "thread"),
                         counted(outcome.switches, "switch"),
                         counted(outcome.preemptions, "preemption"));
  }
  lines.push_back(found);
  lines.push_back(failure.replays > 0 ? fmt::format("reproduced {}", failure.reproduced)
                                      : failure.reproduced);
  if (outcome.stall_ns > 0) {
    lines.push_back(fmt::format("needs a stall of {} (--max-stall)",
                                show_duration(std::chrono::nanoseconds(outcome.stall_ns))));
  }
  const RunPlan& plan = failure.record.input.plan;
  if (failure.judgement.kind == campaign::FailureKind::timeout && plan.engine == EngineKind::free &&
      plan.noise.placement[0] != '\0') {
    lines.emplace_back(
        "noise takes real time: if it was only slow, give noise a budget (budget=100%) or the run "
        "more time (--timeout)");
  }
  if (outcome.uncontrolled_calls > 0) {
    std::string calls;
    for (const UncontrolledCall& call : outcome.uncontrolled) {
      if (call.count == 0) continue;
      calls += fmt::format("{}{} ({})", calls.empty() ? "" : ", ", call.name, call.count);
    }
    lines.push_back(fmt::format("not controlled: {}", calls));
  }
  if (failure.record.stragglers > 0) {
    lines.push_back(fmt::format("it left {} behind, ended by heddle",
                                counted(failure.record.stragglers, "process")));
  }
}

}  // namespace

std::string failure_text(const Failure& failure, const FailureCommands& commands,
                         const Terminal& terminal) {
  const std::size_t columns = terminal.text_width();
  std::vector<std::string> lines;
  lines.push_back(
      terminal.paint(Paint::red, fmt::format("FAILURE {}", failure_name(failure.judgement.kind))) +
      "  " + printable(failure.judgement.message));
  add_words(lines, "standard error", failure.capture.err.text);
  add_words(lines, "standard output", failure.capture.out.text);
  std::vector<std::string> why = evidence_lines(failure.judgement, kEvidenceFrames);
  if (failure.judgement.evidence.empty() && failure.explanation)
    why = explanation_lines(*failure.explanation, columns);
  const std::size_t others = lines.size() + why.size() + kFactLines;
  const RunOutcome& outcome = failure.record.outcome;
  const std::vector<std::string> lanes =
      minimal_lanes(failure.capture, {outcome.blocked, outcome.blocked_count},
                    failure.explanation ? &*failure.explanation : nullptr,
                    {columns, others < kMostFailureLines ? kMostFailureLines - others : 0});
  lines.insert(lines.end(), lanes.begin(), lanes.end());
  lines.insert(lines.end(), why.begin(), why.end());
  if (!failure.explanation) add_blocked(lines, failure);
  add_facts(lines, failure);
  const std::string folder = shell_word(commands.directory);
  const bool recorded =
      failure.record.took_control && failure.record.input.plan.engine == EngineKind::controlled;
  if (failure.replays > 0 || recorded) {
    lines.push_back(fmt::format("replay:  {} replay {}", commands.tool, folder));
    lines.push_back(fmt::format("debug:   {} replay {} --gdb", commands.tool, folder));
  } else {
    lines.push_back(fmt::format("kept in: {}", folder));
  }
  std::string text;
  const std::size_t last = std::min(lines.size(), kMostFailureLines);
  for (std::size_t i = 0; i < last; ++i) text += lines[i] + "\n";
  return text;
}

}  // namespace heddle::reports
