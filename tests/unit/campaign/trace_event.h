// An event of a trace as a test writes it: who does what to which object. All else is zero, for the test to fill in.
#pragma once

#include "contract/event.h"

namespace heddle::test {

inline Event trace_event(std::uint16_t thread, EventKind kind, ObjectId object) {
  Event event{};
  event.thread = ThreadId{thread};
  event.kind = kind;
  event.object = object;
  return event;
}

}  // namespace heddle::test
