// A trace as a story in lanes: what each thread did, with values, held locks and why control moved on.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/explain_names.h"
#include "contract/decision.h"
#include "contract/event.h"
#include "contract/run_outcome.h"
#include "report/lanes.h"

namespace heddle::reports {

enum class StoryDetail : std::uint8_t {
  all,     // every event of the trace
  shared,  // only what more than one thread touches, and synchronisation
};

struct StorySource {
  std::span<const Event> events;
  std::span<const Decision> decisions;  // empty: why a thread was left is not known
  std::span<const BlockedThread> blocked;
  // Where each of those waits, if that was kept in words; else their sites tell.
  std::span<const std::string> blocked_places;
  StoryDetail detail = StoryDetail::all;
  // Numbers of the decisive events in `events`; marked in the story.
  std::vector<std::size_t> decisive;
};

Story story_of(const StorySource& source, campaign::EventNames& names);

// "counter = 1", "locks m", "reads ready: 0".
std::string event_text(const Event& event, campaign::EventNames& names);

// Its thread may have to wait there.
bool may_block(EventKind kind);

// A value as it is most likely meant: small numbers signed and decimal, the rest hexadecimal.
std::string value_text(std::uint64_t value, unsigned size);

}  // namespace heddle::reports
