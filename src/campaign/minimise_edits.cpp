#include "campaign/minimise_edits.h"

#include <algorithm>
#include <tuple>

namespace heddle::campaign {

namespace {

bool is_pick(const Decision& decision) {
  return decision.kind == DecisionKind::run || decision.kind == DecisionKind::timeout;
}

auto place_of(const Decision& decision) {
  return std::tuple(decision.from, decision.from_step, !is_pick(decision));
}

}  // namespace

Decisions without_range(std::span<const Decision> decisions, std::size_t begin, std::size_t end) {
  Decisions rest(decisions.begin(), decisions.begin() + static_cast<std::ptrdiff_t>(begin));
  rest.insert(rest.end(), decisions.begin() + static_cast<std::ptrdiff_t>(end), decisions.end());
  return rest;
}

Decisions without_pair(std::span<const Decision> decisions, std::size_t first, std::size_t second) {
  Decisions rest;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (i != first && i != second) rest.push_back(decisions[i]);
  }
  return rest;
}

Decisions without_point(std::span<const Decision> decisions, const Decision& there) {
  Decisions rest(decisions.begin(), decisions.end());
  std::erase_if(rest, [&](const Decision& decision) {
    return is_pick(decision) && place_of(decision) == place_of(there);
  });
  return rest;
}

Decisions without_stalls(std::span<const Decision> decisions) {
  Decisions rest(decisions.begin(), decisions.end());
  std::erase_if(rest, [](const Decision& d) { return d.kind == DecisionKind::timeout; });
  return rest;
}

bool move_decision(Decisions& decisions, std::size_t index, std::int64_t points) {
  Decision& decision = decisions[index];
  const auto now = static_cast<std::int64_t>(decision.from_step);
  if (!is_pick(decision) || now + points < 1) return false;
  decision.from_step = static_cast<std::uint64_t>(now + points);
  put_in_order(decisions);
  return true;
}

Decisions with_target(std::span<const Decision> decisions, std::size_t index, ThreadId to) {
  Decisions changed(decisions.begin(), decisions.end());
  changed[index].to = to;
  return changed;
}

Decisions with_decision(std::span<const Decision> decisions, const Decision& added) {
  Decisions more(decisions.begin(), decisions.end());
  more.insert(more.begin(), added);
  put_in_order(more);
  return more;
}

Decisions postponed(std::span<const Decision> decisions, const Interruption& interruption) {
  const Decisions changed = without_point(decisions, interruption.away);
  Decision turn = interruption.next;
  turn.to = interruption.away.to;
  Decision end = interruption.back;
  end.to = interruption.next.to;
  return with_decision(with_decision(changed, turn), end);
}

void put_in_order(Decisions& decisions) {
  std::ranges::stable_sort(decisions, {}, place_of);
  const auto same_point = [](const Decision& a, const Decision& b) {
    return is_pick(a) && is_pick(b) && place_of(a) == place_of(b);
  };
  const auto rest = std::ranges::unique(decisions, same_point);
  decisions.erase(rest.begin(), rest.end());
}

bool is_preemption(const Decision& decision) {
  return decision.kind == DecisionKind::run && decision.reason == SwitchReason::preempted;
}

}  // namespace heddle::campaign
