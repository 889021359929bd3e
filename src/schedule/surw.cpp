#include "schedule/surw.h"

namespace heddle {
namespace {

constexpr std::uint64_t kOperation = std::uint64_t{1} << 16;  // weight of one, divisible

// Giving back a lock is never the interesting part of it: the order of taking decides.
bool gives_back(EventKind kind) {
  return kind == EventKind::mutex_unlock || kind == EventKind::spin_unlock ||
         kind == EventKind::rwlock_unlock;
}

}  // namespace

void Surw::begin_run(const StrategyContext& context, Prng& prng) {
  stalls_.begin_run(prng);
  for (bool& met : met_) met = false;
  met_count_ = 0;
  intended_ = kNoThread;
  varied_ = context.settings.arguments[0] != 0;
  profile_ = context.profile.first(context.profile.size() < kMaxThreads ? context.profile.size()
                                                                        : kMaxThreads);
  choose_objects(context, prng);
  expect_threads(context, prng);
}

void Surw::choose_objects(const StrategyContext& context, Prng& prng) {
  chosen_count_ = 0;
  std::uint16_t objects = 0;
  std::uint16_t sites = 0;
  for (const AccessProfile& access : context.accesses) {
    objects = access.object_number > objects ? access.object_number : objects;
    sites = access.site_number > sites ? access.site_number : sites;
  }
  if (objects == 0) return;
  // Mostly one object; sometimes two, or all that one site touches (the elements of an array, say).
  const std::uint64_t way = varied_ ? prng.below(8) : 0;
  const std::uint64_t site = way == 7 && sites != 0 ? prng.between(1, sites) : 0;
  const std::uint64_t first = prng.between(1, objects);
  const std::uint64_t second = way == 6 ? prng.between(1, objects) : first;
  for (const AccessProfile& access : context.accesses) {
    const bool wanted = site != 0 ? access.site_number == site
                                  : access.object_number == first || access.object_number == second;
    if (!wanted || chosen_count_ == kMaxChosen) continue;
    bool known = false;
    for (std::size_t i = 0; i < chosen_count_; ++i) known = known || chosen_[i] == access.object;
    if (!known) chosen_[chosen_count_++] = access.object;
  }
}

void Surw::find_parents() {
  for (std::size_t i = 0; i < profile_.size(); ++i) {
    expected_[i] = {0, 0, kOperation, {0}, kUnknown};
    for (std::size_t j = 0; j < profile_.size() && profile_[i].parent_path_hash != 0; ++j) {
      if (profile_[j].path_hash == profile_[i].parent_path_hash) {
        expected_[i].parent = static_cast<std::uint16_t>(j);
        break;
      }
    }
  }
}

void Surw::expect_threads(const StrategyContext& context, Prng& prng) {
  find_parents();
  for (const AccessProfile& access : context.accesses) {
    if (access.thread_number == 0 || access.thread_number > profile_.size()) continue;
    PendingOperation operation{};
    operation.kind = access.kind;
    operation.object = access.object;
    if (!interesting(operation)) continue;
    Expected& expected = expected_[access.thread_number - 1u];
    if (expected.role.value == 0) expected.role = access.site;
    expected.own += access.count;
  }
  const bool by_role = varied_ && prng.chance(1, 2);
  for (std::size_t i = 0; i < profile_.size(); ++i) {
    std::uint64_t alike = 0;
    for (std::size_t j = 0; j < profile_.size() && by_role; ++j) {
      alike += expected_[j].role == expected_[i].role;
    }
    if (alike > 1) expected_[i].each = kOperation / alike;
  }
  for (std::size_t i = 0; i < profile_.size(); ++i) {
    expected_[i].own *= expected_[i].each;
    for (std::uint16_t a = expected_[i].parent; a != kUnknown; a = expected_[a].parent) {
      expected_[a].unborn += expected_[i].own;
    }
  }
}

bool Surw::interesting(const PendingOperation& candidate) const {
  if (gives_back(candidate.kind)) return false;
  for (std::size_t i = 0; i < chosen_count_; ++i) {
    if (chosen_[i] == candidate.object) return true;
  }
  return false;
}

std::uint64_t Surw::weight(ThreadId thread) const {
  if (position_[thread.value] == kUnknown) return 0;
  const Expected& expected = expected_[position_[thread.value]];
  return expected.own + expected.unborn;
}

void Surw::meet(const PendingOperation& candidate, Prng& prng) {
  const ThreadId thread = candidate.thread;
  if (met_[thread.value]) return;
  met_[thread.value] = true;
  met_count_ = thread.value >= met_count_ ? thread.value + 1u : met_count_;
  position_[thread.value] = kUnknown;
  for (std::size_t i = 0; i < profile_.size(); ++i) {
    if (profile_[i].path_hash == candidate.path_hash) {
      position_[thread.value] = static_cast<std::uint16_t>(i);
      break;
    }
  }
  if (position_[thread.value] == kUnknown) return;
  // Born: its share no longer counts for its ancestors. If one of them was to have the next turn, perhaps it was
  // this child that was meant.
  const std::uint64_t share = weight(thread);
  const std::uint16_t parent = expected_[position_[thread.value]].parent;
  for (std::uint16_t a = parent; a != kUnknown; a = expected_[a].parent) {
    expected_[a].unborn -= expected_[a].unborn < share ? expected_[a].unborn : share;
  }
  if (intended_ == kNoThread || position_[intended_.value] != parent || share == 0) return;
  if (prng.chance(share, share + weight(intended_))) intended_ = thread;
}

void Surw::draw_intended(Prng& prng) {
  std::uint64_t total = 0;
  for (std::uint32_t t = 0; t < met_count_; ++t) {
    if (met_[t]) total += weight(ThreadId{static_cast<std::uint16_t>(t)});
  }
  intended_ = kNoThread;
  std::uint64_t left = prng.below(total);
  for (std::uint32_t t = 0; t < met_count_ && total != 0; ++t) {
    if (!met_[t]) continue;
    const std::uint64_t mine = weight(ThreadId{static_cast<std::uint16_t>(t)});
    if (left < mine) {
      intended_ = ThreadId{static_cast<std::uint16_t>(t)};
      return;
    }
    left -= mine;
  }
}

// Everybody waits for a turn that does not come (blocked, ended, or the counts were wrong): draw among those here.
std::size_t Surw::draw_among(const SchedulePoint& point, Prng& prng) {
  std::uint64_t total = 0;
  for (const PendingOperation& candidate : point.candidates) {
    if (candidate.stall == 0) total += weight(candidate.thread) + 1;
  }
  std::uint64_t left = prng.below(total);
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    if (point.candidates[i].stall != 0) continue;
    const std::uint64_t mine = weight(point.candidates[i].thread) + 1;
    if (left < mine) return i;
    left -= mine;
  }
  return default_candidate(point);
}

void Surw::ran(const PendingOperation& operation, Prng& prng) {
  if (!interesting(operation)) return;
  if (position_[operation.thread.value] != kUnknown) {
    Expected& expected = expected_[position_[operation.thread.value]];
    expected.own -= expected.own < expected.each ? expected.own : expected.each;
  }
  draw_intended(prng);
}

std::size_t Surw::pick(const SchedulePoint& point, Prng& prng) {
  for (const PendingOperation& candidate : point.candidates) meet(candidate, prng);
  if (intended_ == kNoThread) draw_intended(prng);
  const auto eligible = [&](const PendingOperation& candidate) {
    if (candidate.stall != 0 || (point.current_yields && candidate.thread == point.current)) {
      return false;
    }
    return candidate.thread == intended_ || !interesting(candidate);
  };
  std::size_t picked = stalls_.pick(point, prng);
  if (picked == kNoCandidate) {
    std::size_t count = 0;
    for (const PendingOperation& candidate : point.candidates) count += eligible(candidate);
    std::size_t left = prng.below(count);
    for (std::size_t i = 0; i < point.candidates.size() && count != 0; ++i) {
      if (!eligible(point.candidates[i])) continue;
      if (left-- == 0) {
        picked = i;
        break;
      }
    }
  }
  if (picked == kNoCandidate) picked = draw_among(point, prng);
  ran(point.candidates[picked], prng);
  return picked;
}

}  // namespace heddle
