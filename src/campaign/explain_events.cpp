#include "campaign/explain_events.h"

#include <algorithm>

#include "campaign/lost_wakeup.h"
#include "campaign/trace_locks.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kMostFrames = 8;
constexpr std::size_t kMostObjects = 3;

void take_places(DecisiveEvent& decisive, std::vector<std::string> places) {
  if (places.empty()) return;
  decisive.place = places.front();
  decisive.function = EventNames::function_of(decisive.place);
  places.erase(places.begin());
  if (places.size() > kMostFrames) places.resize(kMostFrames);
  decisive.stack = std::move(places);
}

}  // namespace

ExplainedEvents::ExplainedEvents(const RunRecord& record, const RunCapture& capture)
    : record_(record),
      capture_(capture),
      names_(capture.modules, capture.threads, {capture.heap, capture.allocation_calls}) {
  names_.learn_threads(trace());
}

DecisiveEvent ExplainedEvents::event(std::size_t number) {
  DecisiveEvent decisive = described(capture_, number);
  decisive.number = number;
  return decisive;
}

DecisiveEvent ExplainedEvents::event_of(const RunCapture& passing, std::size_t number) {
  return described(passing, number);
}

DecisiveEvent ExplainedEvents::described(const RunCapture& capture, std::size_t number) {
  const Event& event = capture.trace[number];
  DecisiveEvent decisive = operation(event.thread, event.site, event.object);
  decisive.kind = event.kind;
  take_places(decisive, places_of(capture, number));
  return decisive;
}

DecisiveEvent ExplainedEvents::operation(ThreadId thread, SiteId site, ObjectId object) {
  DecisiveEvent decisive;
  decisive.thread = thread;
  decisive.thread_name = names_.thread(thread);
  decisive.function = names_.function(site);
  decisive.place = names_.place(site);
  decisive.object = names_.object(object);
  return decisive;
}

// Where it waits may be inside the library: the calls that led there tell whose call that was, and where they are not known what it
// did last.
DecisiveEvent ExplainedEvents::waiting(const BlockedThread& blocked) {
  DecisiveEvent waits = operation(blocked.thread, blocked.site, blocked.object);
  std::vector<std::string> places = own_places(blocked.site, blocked.calls.sites);
  if (!places.empty()) {
    take_places(waits, std::move(places));
    return waits;
  }
  const std::optional<std::size_t> last = last_of(blocked.thread);
  if (!last) return waits;
  DecisiveEvent before = event(*last);
  if (trace()[*last].object == blocked.object && waits_for_wakeup(trace()[*last].kind)) {
    waits.place = std::move(before.place);
    waits.function = std::move(before.function);
  }
  waits.stack = std::move(before.stack);
  return waits;
}

DecisiveEvent ExplainedEvents::polling() {
  DecisiveEvent polls =
      operation(outcome().livelock_thread, outcome().livelock_site, outcome().livelock_object);
  take_places(polls, own_places(outcome().livelock_site, outcome().livelock_calls.sites));
  return polls;
}

std::string ExplainedEvents::taken_place(const BlockedThread& blocked) {
  if (blocked.holder_site.value == 0) return {};
  const std::optional<std::size_t> takes = last_event([&](const Event& e) {
    return e.thread == blocked.holder && e.object == blocked.object &&
           e.site == blocked.holder_site && takes_lock(e);
  });
  return takes ? event(*takes).place : names_.place(blocked.holder_site);
}

std::optional<std::size_t> ExplainedEvents::last_event(
    const std::function<bool(const Event&)>& wanted) const {
  for (std::size_t i = trace().size(); i-- > 0;) {
    if (wanted(trace()[i])) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> ExplainedEvents::last_of(ThreadId thread) const {
  return last_event([&](const Event& event) { return event.thread == thread; });
}

std::vector<std::string> ExplainedEvents::own_places(SiteId site,
                                                     std::span<const SiteId> calls) const {
  std::vector<std::string> places = names_.places(site);
  for (const SiteId call : calls) {
    for (std::string& place : names_.places(call)) places.push_back(std::move(place));
  }
  return places;
}

std::vector<std::string> ExplainedEvents::places_of(const RunCapture& capture,
                                                    std::size_t number) const {
  return own_places(capture.trace[number].site, capture.calls.callers(number));
}

std::vector<std::string> ExplainedEvents::objects_of(std::span<const std::size_t> events) {
  std::vector<std::string> objects;
  for (std::size_t i = events.size(); i-- > 0 && objects.size() < kMostObjects;) {
    const std::string& object = names_.object(trace()[events[i]].object);
    if (std::ranges::find(objects, object) == objects.end()) objects.push_back(object);
  }
  std::ranges::reverse(objects);
  return objects;
}

}  // namespace heddle::campaign
