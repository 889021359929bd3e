#include "schedule/dfs.h"

#include "schedule/stalls.h"

namespace heddle {

void Dfs::begin_run(const StrategyContext& context, Prng&) {
  prefix_ = context.replay;
  next_ = 0;
}

std::size_t Dfs::pick(const SchedulePoint& point, Prng&) {
  const std::size_t usual = default_candidate(point);
  while (next_ < prefix_.size() && prefix_[next_].step < point.step) ++next_;
  if (next_ == prefix_.size() || prefix_[next_].step != point.step) return usual;
  std::size_t rank = prefix_[next_++].candidates;
  if (rank == 0) return usual;
  for (std::size_t i = 0; i < point.candidates.size(); ++i) {
    const bool gives_way = point.current_yields && point.candidates[i].thread == point.current;
    if (i != usual && !gives_way && --rank == 0) return i;
  }
  return usual;
}

}  // namespace heddle
