#include "campaign/explain_decisive.h"

#include <algorithm>
#include <optional>

#include "campaign/lost_wakeup.h"
#include "campaign/trace_locks.h"

namespace heddle::campaign {

namespace {

// Who waits for ever for a lock, and who took it and kept it.
std::vector<DecisiveEvent> decisive_of_holder(ExplainedEvents& events) {
  const std::vector<Event>& trace = events.trace();
  for (const BlockedThread& blocked : events.blocked_threads()) {
    const bool by_another = blocked.holder != kNoThread && blocked.holder != blocked.thread;
    if (blocked.waiting_in == EventKind::thread_join || !by_another) continue;
    if (blocked.holder_site.value == 0) continue;
    const bool forked = blocked.in_forked_child != 0;
    // Of a child's lock, what it was forked with counts: what the holder did afterwards does not reach it.
    const std::optional<std::size_t> fork = events.last_event([&](const Event& e) {
      return forked && e.thread == blocked.thread && e.kind == EventKind::fork &&
             e.site == blocked.signal_site;
    });
    const std::optional<std::size_t> takes = events.last_event([&](const Event& e) {
      const bool before = !fork || &e < &trace[*fork];
      return before && e.thread == blocked.holder && e.object == blocked.object && takes_lock(e);
    });
    return {takes ? events.event(*takes)
                  : events.operation(blocked.holder, blocked.holder_site, blocked.object),
            fork     ? events.event(*fork)
            : forked ? events.operation(blocked.thread, blocked.signal_site, blocked.object)
                     : events.waiting(blocked)};
  }
  return {};
}

// A handler waits for what its own thread holds: the signal came too soon.
std::vector<DecisiveEvent> decisive_of_signal(ExplainedEvents& events) {
  for (const BlockedThread& blocked : events.blocked_threads()) {
    const ObjectId thread = make_object(ObjectKind::thread, blocked.thread.value);
    const std::optional<std::size_t> send = events.last_event(
        [&](const Event& e) { return e.kind == EventKind::signal_send && e.object == thread; });
    if (!send || blocked.holder != blocked.thread) continue;
    return {events.event(*send),
            events.operation(blocked.thread, blocked.holder_site, blocked.object)};
  }
  return {};
}

// The last wake-up or token that another thread gave to what a thread waits for, and that wait.
std::vector<DecisiveEvent> decisive_of_wait(ExplainedEvents& events, LostWakeup lost) {
  for (const BlockedThread& blocked : events.blocked_threads()) {
    if (blocked.lost_wakeup != lost || blocked.waiting_in == EventKind::thread_join) continue;
    const std::optional<std::size_t> wake = events.last_event([&](const Event& e) {
      const bool gives = wakes(e.kind) || e.kind == EventKind::sem_post;
      return gives && e.object == blocked.object && e.thread != blocked.thread;
    });
    if (!wake) continue;
    std::vector<DecisiveEvent> decisive{events.event(*wake), events.waiting(blocked)};
    // One that went to another came when this one waited already.
    if (lost == LostWakeup::to_another) std::ranges::reverse(decisive);
    return decisive;
  }
  return {};
}

}  // namespace

std::vector<DecisiveEvent> decisive_of_deadlock(ExplainedEvents& events) {
  std::vector<DecisiveEvent> decisive = decisive_of_holder(events);
  return decisive.empty() ? decisive_of_signal(events) : decisive;
}

// The last wake-up, and a thread it did not wake: one that waited already when it came (it went to another), else one that
// came to wait after it.
std::vector<DecisiveEvent> decisive_of_lost_wakeup(ExplainedEvents& events) {
  std::vector<DecisiveEvent> decisive = decisive_of_wait(events, LostWakeup::to_another);
  return decisive.empty() ? decisive_of_wait(events, LostWakeup::too_early) : decisive;
}

std::vector<DecisiveEvent> decisive_of_wait(ExplainedEvents& events) {
  return decisive_of_wait(events, LostWakeup::no);
}

// The poll that sees no change any more, and the last change to what it polls.
std::vector<DecisiveEvent> decisive_of_livelock(ExplainedEvents& events) {
  const RunOutcome& outcome = events.outcome();
  const std::optional<std::size_t> changed = events.last_event([&](const Event& e) {
    return e.object == outcome.livelock_object && is_memory_write(e.kind) &&
           e.thread != outcome.livelock_thread;
  });
  if (!changed) return {};
  return {events.event(*changed), events.polling()};
}

// What the main thread did last, and what another did last.
std::vector<DecisiveEvent> decisive_of_teardown(ExplainedEvents& events) {
  const std::optional<std::size_t> of_main = events.last_of(ThreadId{0});
  const std::optional<std::size_t> of_other = events.last_event(
      [](const Event& e) { return e.thread.value != 0 && e.kind != EventKind::thread_exit; });
  if (!of_main || !of_other) return {};
  return {events.event(*of_main), events.event(*of_other)};
}

}  // namespace heddle::campaign
