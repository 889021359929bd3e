// How many schedules a strategy needs for a model's bug, with what the campaign would know at each run.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "campaign/contended_accesses.h"
#include "campaign/portfolio.h"
#include "model.h"
#include "model_programs.h"
#include "schedule/catalog.h"

namespace heddle::model {

inline StrategySettings settings(std::string_view name, std::int64_t argument) {
  StrategySettings settings{};
  std::memcpy(settings.name, name.data(), name.size());
  settings.arguments[0] = argument;
  return settings;
}
inline StrategySettings settings(std::string_view name) {
  return settings(name, find_strategy(name)->default_argument);
}

// What earlier runs saw, merged as the campaign merges it.
class Memory {
 public:
  void learn(const World& world, const World::Result& result) {
    steps_.push_back(result.steps);
    const std::vector<ThreadRecord> records = world.records();
    for (const ThreadRecord& record : records) {
      if (!known_.try_emplace(record.path_hash, true).second) continue;
      const bool child = record.path_hash != records.front().path_hash;
      profile_.push_back({record.path_hash, record.points, record.points,
                          child ? records[record.parent.value].path_hash : 0});
    }
    for (const AccessProfile& access : world.accesses) {
      const auto [at, fresh] = places_.try_emplace(
          {access.path_hash, access.site.value, access.object.value}, accesses_.size());
      if (fresh) {
        accesses_.push_back(access);
      } else {
        accesses_[at->second].count = std::max(accesses_[at->second].count, access.count);
      }
    }
    campaign::number_contended(accesses_, profile_);
  }

  StrategyContext context(StrategySettings settings) const {
    if (!steps_.empty()) {
      std::vector<std::uint64_t> sorted = steps_;
      std::nth_element(sorted.begin(), sorted.begin() + static_cast<long>(sorted.size() / 2),
                       sorted.end());
      settings.expected_steps = sorted[sorted.size() / 2];
    }
    return {settings, profile_, {}, accesses_};
  }

  std::uint32_t sites() const { return campaign::contended_sites(accesses_); }

 private:
  std::vector<std::uint64_t> steps_;
  std::vector<ThreadProfile> profile_;
  std::vector<AccessProfile> accesses_;
  std::map<std::uint64_t, bool> known_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::size_t> places_;
};

inline constexpr std::uint64_t kMemoryRuns = 64;

// The number of the first failing run; `most` + 1 if there is none. `name` "portfolio" composes.
inline std::uint64_t schedules_to_first_bug(const Program& program, const StrategySettings& wanted,
                                            std::uint64_t seed, std::uint64_t most) {
  Memory memory;
  campaign::Portfolio portfolio{seed};
  const bool composed = std::string_view{wanted.name} == "portfolio";
  std::uint64_t run = 1;
  while (run <= most) {
    const std::uint64_t last = std::min(campaign::last_run_of_round(run), most);
    const Memory told = memory;  // what a round learns counts from the next one on
    std::vector<std::uint64_t> hashes;
    const std::uint64_t first = run;
    for (; run <= last; ++run) {
      const StrategySettings chosen =
          composed ? portfolio.choose(run, {told.sites(), false}) : wanted;
      World world;
      const World::Result result = world.run(program.main, find_strategy(chosen.name)->instance(),
                                             told.context(chosen), combine(combine(0, seed), run));
      if (result.failed) return run;
      if (run <= kMemoryRuns) memory.learn(world, result);
      hashes.push_back(result.schedule_hash);
    }
    for (std::size_t i = 0; i < hashes.size(); ++i)
      portfolio.learn(first + i, {hashes[i], false, false});
  }
  return most + 1;
}

struct Mean {
  double schedules;  // a run that found nothing counts as the limit
  unsigned found;    // of `trials`
};

inline Mean mean_schedules(const Program& program, const StrategySettings& wanted, unsigned trials,
                           std::uint64_t most, std::uint64_t seed = 1) {
  Mean mean{0, 0};
  for (unsigned trial = 0; trial < trials; ++trial) {
    const std::uint64_t needed = schedules_to_first_bug(program, wanted, seed + trial, most);
    mean.schedules += static_cast<double>(std::min(needed, most)) / trials;
    mean.found += needed <= most;
  }
  return mean;
}

}  // namespace heddle::model
