// An explanation on the terminal: class, sentence, lanes, the decisive pair and what was measured.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "campaign/failure.h"
#include "report/lanes.h"

namespace heddle::reports {

struct ExplainLayout {
  std::size_t columns = 100;
  std::size_t most_lines = 24;  // of the lanes, heading included
};

// The minimal interleaving: only what more than one thread touches, loops folded, shortened to fit.
std::vector<std::string> minimal_lanes(const campaign::RunCapture& capture,
                                       std::span<const BlockedThread> blocked,
                                       const campaign::Explanation* explanation,
                                       const ExplainLayout& layout);

// "class: …", the sentence, the pair, "this order fails 20/20, the other 0/20"; wrapped to the columns.
std::vector<std::string> explanation_lines(const campaign::Explanation& explanation,
                                           std::size_t columns);

// Breaks at spaces; lines after the first are indented by two.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace heddle::reports
