// The one sentence of an explanation, with the names of the source.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "campaign/explain_names.h"
#include "campaign/failure.h"
#include "contract/run_outcome.h"

namespace heddle::campaign {

struct SentenceFacts {
  const RunOutcome* outcome = nullptr;
  std::span<const Decision> decisions;
  bool passes = false;  // a schedule nearby does
  // By entry of the outcome's blocked threads: its place, and that at which somebody took what it waits for.
  std::vector<std::string> waiting;
  std::vector<std::string> taken;
  // The flipped pair, and what its second thread had done before.
  std::optional<DecisiveEvent> first;
  std::optional<DecisiveEvent> second;
  std::optional<DecisiveEvent> interrupted;
  std::optional<DecisiveEvent> resumed;  // or what its first thread did after
  // A wait that a thread goes on from although nothing that it had looked at has changed.
  std::optional<DecisiveEvent> unchecked_wait;
  std::vector<std::string> unchecked_objects;
};

std::string explain_sentence(const Explanation& explanation, const SentenceFacts& facts,
                             EventNames& names);

}  // namespace heddle::campaign
