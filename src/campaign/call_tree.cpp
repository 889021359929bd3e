#include "campaign/call_tree.h"

#include <algorithm>
#include <map>
#include <set>

#include "campaign/extent.h"

namespace heddle::campaign {

std::vector<SiteId> CallTree::callers(std::size_t event) const {
  std::vector<SiteId> sites;
  if (event >= at_.size()) return sites;
  for (std::uint32_t node = at_[event]; node != 0; node = nodes_[node].parent) {
    sites.push_back(nodes_[node].call_site);
  }
  return sites;
}

CallTree take_calls(std::vector<Event>& trace) {
  CallTree tree;
  const bool has_calls = std::ranges::any_of(trace, [](const Event& event) {
    return event.kind == EventKind::function_enter || event.phase == EventPhase::after;
  });
  if (!has_calls) return tree;
  const std::set<ObjectId> shared = shared_objects(trace);
  tree.nodes_.emplace_back();
  std::map<ThreadId, std::uint32_t> stacks;
  std::vector<Event> rest;
  for (const Event& event : trace) {
    std::uint32_t& top = stacks[event.thread];
    if (event.kind == EventKind::function_enter) {
      tree.nodes_.push_back({top, event.site});
      top = static_cast<std::uint32_t>(tree.nodes_.size() - 1);
      continue;
    }
    if (event.kind == EventKind::function_exit) {
      top = tree.nodes_[top].parent;
      continue;
    }
    if (event.phase == EventPhase::after && !shared.contains(event.object)) continue;
    rest.push_back(event);
    tree.at_.push_back(top);
  }
  trace = std::move(rest);
  return tree;
}

}  // namespace heddle::campaign
