#include "report/explain_text.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <vector>

#include "campaign/explain.h"
#include "campaign/explain_names.h"
#include "report/show_text.h"

namespace heddle::reports {

using campaign::BugClass;
using campaign::DecisiveEvent;
using campaign::Explanation;

namespace {

constexpr std::size_t kMostTold = 300'000;  // events, the last ones

constexpr std::size_t kShownFrames = 4;

// What a thread had still to do when the program failed, at the end of its lane; or what it went another way than to do.
void add_pending(Story& story, const DecisiveEvent& event, std::span<const Event> trace) {
  const auto lane = std::ranges::find(story.lanes, event.thread_name);
  if (event.number || event.kind == EventKind::none || lane == story.lanes.end()) return;
  LaneStep step;
  step.lane = static_cast<std::size_t>(lane - story.lanes.begin());
  const bool ended = std::ranges::any_of(trace, [&](const Event& done) {
    return done.thread == event.thread && done.kind == EventKind::thread_exit;
  });
  step.text = fmt::format("({}: {} {})", ended ? "not in this run" : "not yet",
                          event.kind == EventKind::freed ? "frees"
                          : is_memory_write(event.kind)  ? "writes"
                                                         : "uses",
                          event.object);
  step.where = event.place.substr(event.place.rfind(' ') + 1);  // npos + 1 is 0
  step.style = StepStyle::decisive;
  story.steps.push_back(std::move(step));
}

// The events from that number on; what happened in a system header is at the call that led there.
std::vector<Event> at_own_places(const campaign::RunCapture& capture, std::size_t from,
                                 const campaign::EventNames& names) {
  std::vector<Event> events(capture.trace.begin() + static_cast<std::ptrdiff_t>(from),
                            capture.trace.end());
  std::map<SiteId, bool> known;
  const auto is_own = [&](SiteId site) {
    const auto [at, fresh] = known.try_emplace(site);
    if (fresh) at->second = !names.places(site).empty();
    return at->second;
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (is_own(events[i].site)) continue;
    const std::vector<SiteId> callers = capture.calls.callers(from + i);
    const auto own = std::ranges::find_if(callers, is_own);
    if (own != callers.end()) events[i].site = *own;
  }
  return events;
}

}  // namespace

std::vector<std::string> minimal_lanes(const campaign::RunCapture& capture,
                                       std::span<const BlockedThread> blocked,
                                       const Explanation* explanation,
                                       const ExplainLayout& layout) {
  if (capture.trace.empty() || layout.most_lines < 6) return {};
  campaign::EventNames names(capture.modules, capture.threads,
                             {capture.heap, capture.allocation_calls});
  names.learn_threads(capture.trace);
  StorySource source;
  const std::size_t left_out =
      capture.trace.size() > kMostTold ? capture.trace.size() - kMostTold : 0;
  const std::vector<Event> told = at_own_places(capture, left_out, names);
  source.events = told;
  source.decisions = capture.decisions;
  source.blocked = blocked;
  source.detail = StoryDetail::shared;
  if (explanation != nullptr) {
    for (const DecisiveEvent& event : explanation->decisive) {
      if (event.number && *event.number >= left_out) {
        source.decisive.push_back(*event.number - left_out);
      }
    }
  }
  Story story = story_of(source, names);
  if (explanation != nullptr) {
    for (const DecisiveEvent& event : explanation->decisive)
      add_pending(story, event, capture.trace);
  }
  fold_loops(story);
  shorten(story, layout.most_lines - 1);
  return lane_lines(story, {layout.columns});
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string_view word = text.substr(0, space);
    if (!line.empty() && line.size() + 1 + word.size() > columns) {
      lines.push_back(std::move(line));
      line = " ";
    }
    if (!line.empty()) line += ' ';
    line += word;
    if (space == std::string_view::npos) break;
    text.remove_prefix(space + 1);
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

namespace {

void add_wrapped(std::vector<std::string>& lines, const std::string& text, std::size_t columns) {
  // The indentation of the second line of the pair is not a word.
  const std::size_t indent = text.find_first_not_of(' ');
  std::vector<std::string> parts = wrapped(std::string_view(text).substr(indent), columns - indent);
  for (std::string& part : parts) lines.push_back(std::string(indent, ' ') + part);
}

// "T2 copy in get_chars buffer.cpp:41, called by append buffer.cpp:52".
std::string with_stack(const DecisiveEvent& event) {
  std::string text = fmt::format("{} in {}", event.thread_name, event.place);
  for (std::size_t i = 0; i < std::min(event.stack.size(), kShownFrames); ++i) {
    text += fmt::format(", called by {}", event.stack[i]);
  }
  return text;
}

}  // namespace

std::vector<std::string> explanation_lines(const Explanation& explanation, std::size_t columns) {
  std::vector<std::string> lines;
  if (explanation.bug != BugClass::unknown || !explanation.sentence.empty()) {
    std::string name(bug_class_name(explanation.bug));
    if (explanation.bug == BugClass::unknown && !explanation.detail.empty()) {
      name = explanation.detail;
    } else if (!explanation.detail.empty()) {
      name += fmt::format(" ({})", explanation.detail);
    }
    lines = wrapped(fmt::format("{}: {}", name, explanation.sentence), columns);
  }
  if (explanation.decisive.size() == 2) {
    const DecisiveEvent& first = explanation.decisive[0];
    const DecisiveEvent& second = explanation.decisive[1];
    // A pair is decisive when both orders have been tried.
    const std::string_view title = explanation.this_runs > 0 ? "decisive" : "perhaps decisive";
    add_wrapped(lines, fmt::format("{}: {}", title, with_stack(first)), columns);
    add_wrapped(lines, fmt::format("  before: {}", with_stack(second)), columns);
  }
  if (explanation.this_runs > 0 && explanation.other_runs > 0) {
    const bool has_pair = explanation.decisive.size() == 2;
    lines.push_back(fmt::format("{} fails {}/{}, {} {}/{}",
                                has_pair ? "this order" : "this schedule", explanation.this_failed,
                                explanation.this_runs,
                                has_pair ? "the other" : "one near it that passes",
                                explanation.other_failed, explanation.other_runs));
  } else if (explanation.this_runs > 0) {
    lines.push_back(fmt::format("this {} fails {}/{}; {}",
                                explanation.decisive.size() == 2 ? "order" : "schedule",
                                explanation.this_failed, explanation.this_runs,
                                explanation.cut_short ? "the time ran out before more was tried"
                                                      : "no schedule tried near it passes"));
  } else if (explanation.cut_short) {
    lines.emplace_back("the time ran out before it could be compared with a schedule that passes");
  }
  return lines;
}

}  // namespace heddle::reports
