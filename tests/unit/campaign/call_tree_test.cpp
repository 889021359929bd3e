#include "campaign/call_tree.h"

#include <gtest/gtest.h>

#include "trace_event.h"

namespace heddle::campaign {
namespace {

Event event(std::uint16_t thread, EventKind kind, std::uint64_t site,
            ObjectId object = make_global(0, 1)) {
  Event event = test::trace_event(thread, kind, object);
  event.site = make_site(0, site);
  return event;
}

TEST(TakeCalls, GivesEachEventTheCallsThatLedToIt) {
  std::vector<Event> trace = {event(1, EventKind::function_enter, 10),
                              event(2, EventKind::function_enter, 20),
                              event(1, EventKind::function_enter, 11),
                              event(1, EventKind::write, 1),
                              event(1, EventKind::function_exit, 0),
                              event(1, EventKind::write, 2),
                              event(2, EventKind::write, 3)};
  const CallTree calls = take_calls(trace);
  ASSERT_EQ(trace.size(), 3u);
  EXPECT_EQ(calls.callers(0), (std::vector{make_site(0, 11), make_site(0, 10)}));
  EXPECT_EQ(calls.callers(1), (std::vector{make_site(0, 10)}));
  EXPECT_EQ(calls.callers(2), (std::vector{make_site(0, 20)}));
}

TEST(TakeCalls, LeavesOutAccessesInPassingThatNobodyElseMakes) {
  const ObjectId own = make_global(0, 2);
  std::vector<Event> trace = {event(1, EventKind::write, 1, own), event(1, EventKind::write, 2),
                              event(2, EventKind::read, 3), event(1, EventKind::write, 4, own)};
  for (Event& event : trace) event.phase = EventPhase::after;
  trace[3].phase = EventPhase::before;
  take_calls(trace);
  ASSERT_EQ(trace.size(), 3u);
  EXPECT_EQ(trace[0].site, make_site(0, 2));
  EXPECT_EQ(trace[2].site, make_site(0, 4));
}

TEST(TakeCalls, LeavesATraceWithoutCallsAlone) {
  std::vector<Event> trace = {event(1, EventKind::write, 1)};
  const CallTree calls = take_calls(trace);
  EXPECT_EQ(trace.size(), 1u);
  EXPECT_TRUE(calls.callers(0).empty());
}

}  // namespace
}  // namespace heddle::campaign
