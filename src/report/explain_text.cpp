#include "report/explain_text.h"

#include <fmt/format.h>

#include "campaign/explain.h"
#include "campaign/explain_names.h"
#include "report/show_text.h"

namespace heddle::reports {

using campaign::BugClass;
using campaign::DecisiveEvent;
using campaign::Explanation;

std::vector<std::string> minimal_lanes(const campaign::RunCapture& capture,
                                       std::span<const BlockedThread> blocked,
                                       const Explanation* explanation,
                                       const ExplainLayout& layout) {
  if (capture.trace.empty() || layout.most_lines < 6) return {};
  campaign::EventNames names(capture.modules, capture.threads, capture.heap);
  StorySource source;
  source.events = capture.trace;
  source.decisions = capture.decisions;
  source.blocked = blocked;
  source.detail = StoryDetail::shared;
  if (explanation != nullptr) {
    for (const DecisiveEvent& event : explanation->decisive) {
      if (event.number) source.decisive.push_back(*event.number);
    }
  }
  Story story = story_of(source, names);
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

std::vector<std::string> explanation_lines(const Explanation& explanation, std::size_t columns) {
  std::vector<std::string> lines;
  if (explanation.bug != BugClass::unknown || !explanation.sentence.empty()) {
    lines = wrapped(fmt::format("{}: {}", bug_class_name(explanation.bug), explanation.sentence),
                    columns);
  }
  if (explanation.decisive.size() == 2) {
    const DecisiveEvent& first = explanation.decisive[0];
    const DecisiveEvent& second = explanation.decisive[1];
    lines.push_back(fmt::format("decisive: {} in {}", first.thread_name, first.place));
    lines.push_back(fmt::format("  before: {} in {}", second.thread_name, second.place));
  }
  if (explanation.this_runs > 0 && explanation.other_runs > 0) {
    lines.push_back(fmt::format("this order fails {}/{}, the other {}/{}", explanation.this_failed,
                                explanation.this_runs, explanation.other_failed,
                                explanation.other_runs));
  } else if (explanation.this_runs > 0) {
    lines.push_back(fmt::format("this order fails {}/{}; no schedule near it passes",
                                explanation.this_failed, explanation.this_runs));
  }
  return lines;
}

}  // namespace heddle::reports
