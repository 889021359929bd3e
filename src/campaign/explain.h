// Why a failing schedule fails: the nearest schedule that passes, the two events whose order makes the difference, and what
// kind of bug that is.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "campaign/crew.h"
#include "campaign/failure.h"

namespace heddle::campaign {

struct ExplainRequest {
  RunInput input;  // follows the minimal decisions
  Judgement expected;
  const RunRecord* record = nullptr;    // of a run of it
  const RunCapture* capture = nullptr;  // with its trace
  std::optional<std::chrono::steady_clock::time_point> until;
  std::function<void()> tick;
  // Each schedule near the failing one that was tried, and what was wrong with it; may be empty.
  std::function<void(const RunRecord&, FailureKind)> saw;
};

Explanation explain(Crew& crew, const ExplainRequest& request);

std::string_view bug_class_name(BugClass bug);

}  // namespace heddle::campaign
