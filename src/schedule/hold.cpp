#include "schedule/hold.h"

#include "base/hash.h"

namespace heddle {
namespace {

// Threads that give way < others < visitors of the site, where these go first < those just released.
constexpr std::uint64_t kFreshBand = std::uint64_t{1} << 62;
constexpr std::uint64_t kVisitorBand = std::uint64_t{1} << 63;
constexpr std::uint64_t kReleased = ~std::uint64_t{0};

}  // namespace

void Hold::begin_run(const StrategyContext& context, Prng& prng) {
  stalls_.begin_run(prng);
  lowest_ = kFreshBand;
  yields_ = 0;
  accesses_ = context.accesses;
  for (Slot& slot : slots_) slot = {};
  choose_site(context, prng);
}

void Hold::choose_site(const StrategyContext& context, Prng& prng) {
  std::uint64_t sites = 0;
  for (const AccessProfile& access : context.accesses) {
    sites = access.site_number > sites ? access.site_number : sites;
  }
  site_ = second_site_ = SiteId{0};
  only_visit_ = 0;
  at_most_ = kMaxThreads;
  until_touched_ = false;
  visitors_first_ = true;
  one_in_ = 0;
  salt_ = prng.next();
  if (sites == 0) {
    one_in_ = std::uint32_t{2} << prng.below(4);
    return;
  }
  const auto asked = static_cast<std::uint64_t>(context.settings.arguments[0]);
  const std::uint64_t number = asked == 0 ? prng.between(1, sites) : (asked - 1) % sites + 1;
  const std::uint64_t second = prng.between(1, sites);
  std::uint32_t visits = 1;
  for (const AccessProfile& access : context.accesses) {
    if (access.site_number == number) {
      site_ = access.site;
      visits = access.count > visits ? access.count : visits;
    }
    if (access.site_number == second) second_site_ = access.site;
  }
  if (asked != 0 && asked <= sites) {
    second_site_ = site_;
    return;
  }
  // The plain way has been tried at every site: vary it.
  visitors_first_ = prng.chance(1, 2);
  if (!prng.chance(1, 3)) second_site_ = site_;
  if (prng.chance(1, 3)) only_visit_ = static_cast<std::uint32_t>(prng.between(1, visits));
  if (prng.chance(1, 3)) at_most_ = 1;
  until_touched_ = prng.chance(1, 2);
}

bool Hold::holds_at(SiteId site) const {
  if (one_in_ != 0) return combine(salt_, site.value) % one_in_ == 0;
  return site == site_ || site == second_site_;
}

bool Hold::comes_there(std::uint64_t path_hash) const {
  for (const AccessProfile& access : accesses_) {
    if (access.path_hash == path_hash && holds_at(access.site)) return true;
  }
  return false;
}

void Hold::meet(const PendingOperation& candidate, Prng& prng) {
  Slot& slot = slots_[candidate.thread.value];
  if (slot.priority != 0) return;
  slot.priority = kFreshBand | prng.next() >> 3;
  if (visitors_first_ && comes_there(candidate.path_hash)) slot.priority |= kVisitorBand;
}

bool Hold::held(const PendingOperation& candidate) {
  Slot& slot = slots_[candidate.thread.value];
  if (!holds_at(candidate.site) || slot.passed == candidate.points + 1) return false;
  if (slot.counted != candidate.points + 1) {
    slot.counted = candidate.points + 1;
    ++slot.visits;
  }
  return only_visit_ == 0 || slot.visits == only_visit_;
}

void Hold::release_those_touched_by(const SchedulePoint& point, std::size_t picked) {
  const PendingOperation& runs = point.candidates[picked];
  for (const PendingOperation& candidate : point.candidates) {
    if (candidate.thread == runs.thread || candidate.object != runs.object) continue;
    if (is_read_only(candidate.kind) && is_read_only(runs.kind)) continue;
    Slot& slot = slots_[candidate.thread.value];
    if (slot.counted != candidate.points + 1) continue;
    slot.passed = candidate.points + 1;
    slot.priority = kReleased;
  }
}

std::size_t Hold::pick(const SchedulePoint& point, Prng& prng) {
  for (const PendingOperation& candidate : point.candidates) meet(candidate, prng);
  if (point.current_yields) {
    slots_[point.current.value].priority = --lowest_;
    ++yields_;
  }
  std::size_t best = kNoCandidate;
  std::size_t best_held = kNoCandidate;
  std::uint32_t holding = 0;
  std::uint64_t chances = 0;
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    const PendingOperation& candidate = point.candidates[i];
    if (candidate.stall != 0) continue;
    if (held(candidate) && holding < at_most_) {
      ++holding;
      // One of those held goes first when nobody else can move: any of them.
      if (prng.chance(1, ++chances)) best_held = i;
      continue;
    }
    if (best == kNoCandidate || slots_[candidate.thread.value].priority >
                                    slots_[point.candidates[best].thread.value].priority) {
      best = i;
    }
  }
  // Others that only wait for those held do not count as moving.
  if (best_held != kNoCandidate && yields_ > kPatience * point.candidates.size()) {
    best = kNoCandidate;
  }
  std::size_t picked = stalls_.pick(point, prng);
  if (picked == kNoCandidate) picked = best != kNoCandidate ? best : best_held;
  if (picked == kNoCandidate) return 0;
  if (picked == best_held) yields_ = 0;
  Slot& slot = slots_[point.candidates[picked].thread.value];
  if (slot.priority == kReleased) slot.priority = kFreshBand | prng.next() >> 3;
  if (until_touched_) release_those_touched_by(point, picked);
  return picked;
}

}  // namespace heddle
