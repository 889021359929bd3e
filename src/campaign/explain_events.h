// The events of a failing run in the words of an explanation: who, where, on what, with the calls that led there.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "campaign/explain_names.h"
#include "campaign/failure.h"
#include "campaign/run_record.h"

namespace heddle::campaign {

class ExplainedEvents {
 public:
  // Both stay with the caller.
  ExplainedEvents(const RunRecord& record, const RunCapture& capture);

  const RunCapture& capture() const { return capture_; }
  const std::vector<Event>& trace() const { return capture_.trace; }
  const RunOutcome& outcome() const { return record_.outcome; }
  std::span<const BlockedThread> blocked_threads() const {
    return {outcome().blocked, outcome().blocked_count};
  }
  EventNames& names() { return names_; }

  DecisiveEvent event(std::size_t number);
  // Of a run near it; it did not come in the failing one.
  DecisiveEvent event_of(const RunCapture& passing, std::size_t number);
  // What a thread was about to do, of which there is no event.
  DecisiveEvent operation(ThreadId thread, SiteId site, ObjectId object);
  DecisiveEvent waiting(const BlockedThread& blocked);
  // Of a livelock: the look that sees no change any more.
  DecisiveEvent polling();
  // Where its holder took what a thread waits for; empty if nobody holds it.
  std::string taken_place(const BlockedThread& blocked);

  std::optional<std::size_t> last_event(const std::function<bool(const Event&)>& wanted) const;
  std::optional<std::size_t> last_of(ThreadId thread) const;
  // Without what is inside the standard library: that is the caller's doing. Innermost first.
  std::vector<std::string> places_of(const RunCapture& capture, std::size_t number) const;
  // What these events are about: each once, the last ones.
  std::vector<std::string> objects_of(std::span<const std::size_t> events);

 private:
  std::vector<std::string> own_places(SiteId site, std::span<const SiteId> calls) const;
  DecisiveEvent described(const RunCapture& capture, std::size_t number);

  const RunRecord& record_;
  const RunCapture& capture_;
  EventNames names_;
};

}  // namespace heddle::campaign
