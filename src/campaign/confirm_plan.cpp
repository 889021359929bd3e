#include "campaign/confirm_plan.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace heddle::campaign {

void ConfirmPlan::choose(std::uint64_t run, StrategyChoice& choice) {
  if (run % 2 != 0) return;
  for (std::size_t i = 0; i < targets_.size(); ++i) {
    Target& target = targets_[(next_ + i) % targets_.size()];
    if (target.tried >= kTries) continue;
    ++target.tried;
    next_ = (next_ + i + 1) % targets_.size();
    constexpr std::string_view kName = "confirm";
    choice.strategy = {};
    std::memcpy(choice.strategy.name, kName.data(), kName.size());
    for (std::size_t place = 0; place < target.places.size(); ++place) {
      choice.strategy.arguments[place] = static_cast<std::int64_t>(target.places[place]);
    }
    return;
  }
}

void ConfirmPlan::learn(const RunRecord& record) {
  for (const Finding& finding : record.findings) aim_at(finding);
}

void ConfirmPlan::aim_at(const Finding& finding) {
  if (finding.kind != FindingKind::lock_order && finding.kind != FindingKind::race) return;
  std::array<std::uint64_t, 3> places = {finding.first_site.value, finding.second_site.value,
                                         finding.begun_site.value};
  std::ranges::sort(places);
  if (std::ranges::find(targets_, places, &Target::places) != targets_.end()) return;
  targets_.push_back({places, 0});
}

void ConfirmPlan::save(StateWriter& to) const {
  to.list(targets_);
  to.put(next_);
}

void ConfirmPlan::restore(StateReader& from) {
  targets_ = from.list<Target>();
  next_ = from.get<std::uint64_t>();
}

}  // namespace heddle::campaign
