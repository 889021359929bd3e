#include "campaign/transfer.h"

#include <gtest/gtest.h>

#include "trace_event.h"

namespace heddle::campaign {
namespace {

constexpr ThreadId kThread{1};

// Names come from the test's own binary: a site that is not in it has no function, so places are told by hand here.
Event event(EventKind kind, std::uint64_t step) {
  Event event = test::trace_event(kThread.value, kind, make_object(ObjectKind::clock, 0));
  event.step = step;
  event.site = make_site(7, 0x10);
  return event;
}

Decision point(std::uint64_t step, std::uint64_t count) {
  Decision decision{};
  decision.kind = DecisionKind::run;
  decision.from = kThread;
  decision.step = step;
  decision.from_step = count;
  decision.site = make_site(7, 0x10);
  return decision;
}

TEST(PlacesOf, CountsHowOftenTheThreadHadDoneTheSame) {
  RunCapture capture;
  capture.trace = {event(EventKind::sleep, 1), event(EventKind::yield, 2),
                   event(EventKind::sleep, 5)};
  capture.trace_count = capture.trace.size();
  const std::vector<Decision> decisions = {point(4, 3)};
  const std::vector<DecisionPlace> places = places_of(decisions, capture);
  ASSERT_EQ(places.size(), 1u);
  EXPECT_EQ(places[0].kind, EventKind::sleep);
  EXPECT_EQ(places[0].object, "the clock");
}

TEST(PlacesOf, IsEmptyWhereTheBeginningWasLost) {
  RunCapture capture;
  capture.trace = {event(EventKind::sleep, 1)};
  capture.trace_count = 100;
  EXPECT_TRUE(places_of(std::vector<Decision>{point(1, 1)}, capture).empty());
}

TEST(FindPlace, FindsNothingWithoutAName) {
  RunCapture capture;
  capture.trace = {event(EventKind::sleep, 1)};
  capture.decisions = {point(1, 1)};
  EXPECT_FALSE(find_place(DecisionPlace{}, kThread, capture));
}

}  // namespace
}  // namespace heddle::campaign
