#include "campaign/portfolio.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace heddle::campaign {
namespace {

constexpr std::uint64_t kLongestRound = 64;
constexpr double kDecay = 0.97;  // per run of the arm: the last thirty or so count
constexpr double kHoldAfterSweep = 0.2;
constexpr double kLeastShare =
    0.2;  // of what an arm began with: what looks exhausted may still be right

}  // namespace

std::uint64_t last_run_of_round(std::uint64_t first_run) {
  // 1, 2, 3-4, 5-8, 9-16, ... then in steps of kLongestRound.
  std::uint64_t last = 1;
  while (last < first_run) last += std::min(last, kLongestRound);
  return last;
}

Portfolio::Portfolio(std::uint64_t seed) : seed_(seed) {
  arms_ = {
      {"pos", 0, 0.20, 0, 0, 0},     {"hold", 0, 0.50, 0, 0, 0},   {"surw", 1, 0.16, 0, 0, 0},
      {"pct", 2, 0.06, 0, 0, 0},     {"pct", 3, 0.06, 0, 0, 0},    {"random", 50, 0.04, 0, 0, 0},
      {"random", 90, 0.04, 0, 0, 0}, {"starve", 0, 0.04, 0, 0, 0}, {"aim", 0, 0.10, 0, 0, 0},
  };
}

double Portfolio::share_now(const Arm& arm, const Known& known) const {
  if (arm.name == "aim" && !known.uncovered) return 0;
  // Nothing is known of sites and objects yet: these two would only walk at random.
  if (known.sites == 0 && (arm.name == "hold" || arm.name == "surw")) return 0;
  // Once every site has had its turn, holding is one way among others.
  const double share = arm.name == "hold" && holds_ >= known.sites ? kHoldAfterSweep : arm.share;
  const double found = (arm.recent_new + 1) / (arm.recent_runs + 1);
  return share * std::max(found, kLeastShare);
}

std::size_t Portfolio::next_arm(const Known& known) {
  double total = 0;
  for (const Arm& arm : arms_) total += share_now(arm, known);
  std::size_t best = 0;  // pos, which always has a share
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    const double share = share_now(arms_[i], known);
    arms_[i].credit += share / total;
    if (share > 0 && arms_[i].credit > arms_[best].credit) best = i;
  }
  arms_[best].credit -= 1;
  return best;
}

StrategySettings Portfolio::choose(std::uint64_t run, const Known& known) {
  const std::size_t index = next_arm(known);
  chosen_.resize(run);
  chosen_[run - 1] = index;
  StrategySettings settings{};
  std::memcpy(settings.name, arms_[index].name.data(), arms_[index].name.size());
  settings.arguments[0] = arms_[index].argument;
  if (arms_[index].name == "hold") settings.arguments[0] = static_cast<std::int64_t>(++holds_);
  return settings;
}

void Portfolio::learn(std::uint64_t run, std::uint64_t schedule_hash) {
  if (run == 0 || run > chosen_.size()) return;
  Arm& arm = arms_[chosen_[run - 1]];
  const bool fresh = seen_.insert(schedule_hash).second;
  arm.recent_runs = arm.recent_runs * kDecay + 1;
  arm.recent_new = arm.recent_new * kDecay + (fresh ? 1 : 0);
}

void Portfolio::save(StateWriter& to) const {
  for (const Arm& arm : arms_) {
    to.put(arm.recent_runs);
    to.put(arm.recent_new);
    to.put(arm.credit);
  }
  to.put(holds_);
}

void Portfolio::restore(StateReader& from) {
  for (Arm& arm : arms_) {
    arm.recent_runs = from.get<double>();
    arm.recent_new = from.get<double>();
    arm.credit = from.get<double>();
  }
  holds_ = from.get<std::uint64_t>();
}

}  // namespace heddle::campaign
