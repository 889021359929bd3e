// Who called whom, from the function events that a run with kPlanStacks has in its trace.
#pragma once

#include <cstdint>
#include <vector>

#include "contract/event.h"

namespace heddle::campaign {

class CallTree {
 public:
  // Where the calls were made that led to an event, innermost first; empty if that is not known. By its number in the trace
  // that take_calls() left.
  std::vector<SiteId> callers(std::size_t event) const;

  friend CallTree take_calls(std::vector<Event>& trace);

 private:
  struct Node {
    std::uint32_t parent = 0;
    SiteId call_site{};
  };
  std::vector<Node> nodes_;        // node 0 is the bottom of every stack
  std::vector<std::uint32_t> at_;  // by event
};

// Takes the function events out of a trace, and accesses that were no scheduling points of what only one thread touches.
CallTree take_calls(std::vector<Event>& trace);

}  // namespace heddle::campaign
