#include "campaign/dfs_plan.h"

#include <utility>

#include "contract/control_block.h"

namespace heddle::campaign {
namespace {

constexpr std::size_t kMostStored = 4'000'000;  // choices: 160 MB
constexpr std::size_t kMostSaved = 200'000;     // choices: 2 MB, after every round

Decision choice_at(std::uint64_t step, std::uint16_t rank) {
  Decision choice{};
  choice.step = step;
  choice.kind = DecisionKind::run;
  choice.to = kNoThread;  // a rank names it, see schedule/dfs.h
  choice.candidates = rank;
  return choice;
}

}  // namespace

DfsPlan::DfsPlan(std::uint32_t most_preemptions) : queues_(most_preemptions + 1) {
  queues_[0].push_back({{}, 0});
}

std::optional<DfsPlan::Prefix> DfsPlan::next() {
  for (std::deque<Prefix>& queue : queues_) {
    if (queue.empty()) continue;
    Prefix prefix = std::move(queue.front());
    queue.pop_front();
    stored_ -= prefix.choices.size();
    return prefix;
  }
  return std::nullopt;
}

std::size_t DfsPlan::waiting() const {
  std::size_t waiting = 0;
  for (const std::deque<Prefix>& queue : queues_) waiting += queue.size();
  return waiting;
}

void DfsPlan::ran(const Prefix& prefix, std::span<const std::uint8_t> widths) {
  const std::uint64_t begin = prefix.choices.empty() ? 0 : prefix.choices.back().step + 1;
  for (std::uint64_t step = begin; step < widths.size(); ++step) {
    const std::uint8_t width = widths[step] & kWidthMask;
    if (width < 2) continue;
    // Where the thread gives way, staying with it is no other behaviour, only a longer one.
    const bool yields = (widths[step] & kWidthYields) != 0;
    const bool blocked = (widths[step] & kWidthBlocked) != 0;
    const std::uint8_t choices = yields && !blocked ? width - 1 : width;
    const std::uint32_t cost = prefix.preemptions + (blocked || yields ? 0 : 1);
    if (choices < 2) continue;
    if (cost >= queues_.size()) {
      bounded_ = true;
      continue;
    }
    for (std::uint16_t rank = 1; rank < choices; ++rank) {
      if (stored_ + prefix.choices.size() + 1 > kMostStored) {
        ++dropped_;
        continue;
      }
      stored_ += prefix.choices.size() + 1;
      Prefix longer = prefix;
      longer.choices.push_back(choice_at(step, rank));
      longer.preemptions = cost;
      queues_[cost].push_back(std::move(longer));
    }
  }
}

bool DfsPlan::save(StateWriter& to) const {
  if (stored_ > kMostSaved) return false;
  for (const std::deque<Prefix>& queue : queues_) {
    to.put(std::uint64_t{queue.size()});
    for (const Prefix& prefix : queue) {
      to.put(prefix.preemptions);
      to.put(static_cast<std::uint32_t>(prefix.choices.size()));
      for (const Decision& choice : prefix.choices) {
        to.put(choice.step);
        to.put(choice.candidates);
      }
    }
  }
  to.put(dropped_);
  to.put(bounded_);
  return true;
}

void DfsPlan::restore(StateReader& from) {
  stored_ = 0;
  for (std::deque<Prefix>& queue : queues_) {
    queue.clear();
    for (auto left = from.get<std::uint64_t>(); left > 0 && from.ok(); --left) {
      Prefix prefix;
      prefix.preemptions = from.get<std::uint32_t>();
      for (auto choices = from.get<std::uint32_t>(); choices > 0 && from.ok(); --choices) {
        const auto step = from.get<std::uint64_t>();
        prefix.choices.push_back(choice_at(step, from.get<std::uint16_t>()));
      }
      stored_ += prefix.choices.size();
      queue.push_back(std::move(prefix));
    }
  }
  dropped_ = from.get<std::uint64_t>();
  bounded_ = from.get<bool>();
}

}  // namespace heddle::campaign
