#include "report/show_text.h"

#include <gtest/gtest.h>

#include "analysis/effect.h"

namespace heddle::reports {
namespace {

std::string said(EventKind kind, ObjectId object, std::uint64_t argument) {
  campaign::EventNames names({}, {}, {});
  Event event{};
  event.kind = kind;
  event.object = object;
  event.argument = argument;
  return event_text(event, names);
}

TEST(EventWords, GivingABlockBackIsNoWrite) {
  EXPECT_TRUE(said(EventKind::freed, make_heap(5, 0), 40).starts_with("frees "));
  EXPECT_TRUE(said(EventKind::write_range, make_heap(5, 0), 40).starts_with("writes 40 bytes at "));
}

TEST(EventWords, AWaitThatNoSignalEndedSaysSo) {
  EXPECT_TRUE(said(EventKind::mutex_lock, make_heap(5, 0), kLeftUnwoken)
                  .starts_with("goes on unsignalled: locks "));
  EXPECT_TRUE(said(EventKind::mutex_lock, make_heap(5, 0), 0).starts_with("locks "));
}

TEST(EventWords, ACompareAndSwapSaysWhatItExchanged) {
  campaign::EventNames names({}, {}, {});
  Event event{};
  event.kind = EventKind::atomic_cas;
  event.object = make_heap(5, 0);
  event.size = 4;
  event.argument = 3;  // what was there
  event.value = 7;
  EXPECT_TRUE(event_text(event, names).ends_with(": 3 -> 7"));
  event.value = 3;
  EXPECT_TRUE(event_text(event, names).ends_with(": 3, leaves it"));
}

}  // namespace
}  // namespace heddle::reports
