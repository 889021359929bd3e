#include "campaign/portfolio.h"

#include <algorithm>
#include <cstring>

#include "base/hash.h"

namespace heddle::campaign {
namespace {

constexpr std::uint64_t kRound = 64;
constexpr std::uint64_t kLongestRound = 512;
constexpr std::uint64_t kRoundsKnown =
    16;                          // a round is no longer than a part of what came before it
constexpr double kDecay = 0.97;  // per run of the arm: the last thirty or so count
constexpr double kHoldAfterSweep = 0.2;
constexpr std::uint32_t kStallsSometimes = 4;
constexpr std::uint32_t kStallsOften = 2;
constexpr std::uint64_t kStallsAtFirst =
    8;  // runs in which a timer did fire early, to know what that shows
constexpr double kLeastShare =
    0.2;  // of what an arm began with: what looks exhausted may still be right

}  // namespace

std::uint64_t last_run_of_round(std::uint64_t first_run) {
  // 1, 2, 3-4, 5-8, 9-16, ... to kRound, which later grows with what has been learned by then.
  std::uint64_t last = 1;
  while (last < first_run) {
    last += std::min(last, std::clamp(last / kRoundsKnown, kRound, kLongestRound));
  }
  return last;
}

Portfolio::Portfolio(std::uint64_t seed) : seed_(seed) {
  arms_ = {
      {"pos", 0, 0.18, {}, 0},     {"hold", 0, 0.50, {}, 0},   {"surw", 1, 0.22, {}, 0},
      {"pct", 2, 0.06, {}, 0},     {"pct", 3, 0.06, {}, 0},    {"random", 50, 0.08, {}, 0},
      {"random", 90, 0.04, {}, 0}, {"starve", 0, 0.04, {}, 0}, {"aim", 0, 0.10, {}, 0},
  };
}

double Portfolio::share_now(const Arm& arm, const Known& known) const {
  if (arm.name == "aim" && !known.uncovered) return 0;
  // Nothing is known of sites and objects yet: these two would only walk at random.
  if (known.sites == 0 && (arm.name == "hold" || arm.name == "surw")) return 0;
  // Once every site has had its turn, holding is one way among others.
  const double share = arm.name == "hold" && holds_ >= known.sites ? kHoldAfterSweep : arm.share;
  return share * std::max(arm.recent.rate(), kLeastShare);
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

void Portfolio::Yield::add(bool is_new) {
  runs = runs * kDecay + 1;
  found = found * kDecay + (is_new ? 1 : 0);
}

void Portfolio::learn(std::uint64_t run, const Seen& seen) {
  if (run == 0 || run > chosen_.size()) return;
  arms_[chosen_[run - 1]].recent.add(seen_.insert(seen.schedule_hash).second);
  (seen.stalled ? stalled_ : not_stalled_).add(seen.new_tasks);
  stalled_runs_ += seen.stalled ? 1 : 0;
}

std::uint32_t Portfolio::one_in_so_many_stalls() const {
  const bool worth_it =
      stalled_.found > 0 && stalled_.found * not_stalled_.runs > not_stalled_.found * stalled_.runs;
  return worth_it || stalled_runs_ < kStallsAtFirst ? kStallsOften : kStallsSometimes;
}

void Portfolio::save(StateWriter& to) const {
  for (const Arm& arm : arms_) {
    to.put(arm.recent);
    to.put(arm.credit);
  }
  to.put(stalled_);
  to.put(not_stalled_);
  to.put(stalled_runs_);
  to.put(holds_);
}

void Portfolio::restore(StateReader& from) {
  for (Arm& arm : arms_) {
    arm.recent = from.get<Yield>();
    arm.credit = from.get<double>();
  }
  stalled_ = from.get<Yield>();
  not_stalled_ = from.get<Yield>();
  stalled_runs_ = from.get<std::uint64_t>();
  holds_ = from.get<std::uint64_t>();
}

}  // namespace heddle::campaign
