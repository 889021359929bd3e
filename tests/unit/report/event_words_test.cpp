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

}  // namespace
}  // namespace heddle::reports
