#include "campaign/reads_from_plan.h"

#include "base/hash.h"
#include "base/prng.h"

namespace heddle::campaign {

namespace {

constexpr std::uint64_t kOneInSoManyFresh = 2;
constexpr std::uint64_t kMostStored = 20'000;  // decisions: 800 kB, written after every round

}  // namespace

void ReadsFromPlan::choose(std::uint64_t run, StrategyChoice& choice) {
  choice.want_decisions = true;
  Prng prng(combine(combine(seed_, 0x7265'6164), run));
  if (corpus_.empty() || prng.below(kOneInSoManyFresh) == 0) return;
  // Of two drawn, the one that was used less for what it gave.
  Kept* chosen = &corpus_[prng.below(corpus_.size())];
  Kept* const other = &corpus_[prng.below(corpus_.size())];
  if (other->used * chosen->new_pairs < chosen->used * other->new_pairs) chosen = other;
  ++chosen->used;
  choice.follow = chosen->decisions;
  choice.follow_count = prng.below(chosen->decisions->size() + 1);
}

void ReadsFromPlan::learn(const RunRecord& record, std::uint64_t new_pairs) {
  if (new_pairs == 0 || record.decisions.empty()) return;
  if (stored_ + record.decisions.size() > kMostStored) return;
  stored_ += record.decisions.size();
  corpus_.push_back(
      {std::make_shared<const std::vector<Decision>>(record.decisions), new_pairs, 0});
}

void ReadsFromPlan::save(StateWriter& to) const {
  to.put(std::uint64_t{corpus_.size()});
  for (const Kept& kept : corpus_) {
    to.list(*kept.decisions);
    to.put(kept.new_pairs);
    to.put(kept.used);
  }
}

void ReadsFromPlan::restore(StateReader& from) {
  corpus_.clear();
  stored_ = 0;
  for (auto left = from.get<std::uint64_t>(); left > 0 && from.ok(); --left) {
    Kept kept{std::make_shared<const std::vector<Decision>>(from.list<Decision>()), 0, 0};
    kept.new_pairs = from.get<std::uint64_t>();
    kept.used = from.get<std::uint64_t>();
    stored_ += kept.decisions->size();
    corpus_.push_back(std::move(kept));
  }
}

}  // namespace heddle::campaign
