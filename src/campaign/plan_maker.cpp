#include "campaign/plan_maker.h"

#include <fmt/core.h>

#include <cstring>

#include "base/hash.h"
#include "campaign/contended_accesses.h"
#include "campaign/coverage_options.h"
#include "campaign/findings.h"
#include "campaign/noise_text.h"
#include "noise/catalog.h"
#include "schedule/catalog.h"

namespace heddle::campaign {

namespace {

// Well below what a slow machine manages in the same time (2.4 to 4.2 us a switch, DESIGN C3), so that it is reached first.
constexpr std::uint64_t kStepsPerSecond = 200'000;
constexpr std::uint64_t kFewestSteps = 20'000;

constexpr std::uint64_t kStallDraw = 4;

// Tables of accesses are filled in the first runs, and now and then later: they change little.
constexpr std::uint64_t kAccessesAtFirst = 64;
constexpr std::uint64_t kAccessesEvery = 32;

// Without --noise the free engine would be no more than the program itself.
NoiseSettings default_free_noise() {
  NoiseSettings noise{};
  std::strcpy(noise.placement, "random-all");
  std::strcpy(noise.seeding.name, "sleep");
  noise.when = NoiseWhen::before;
  noise.frequency = 50;
  noise.seeding.strength = {1, 5};
  return noise;
}

}  // namespace

Knowledge snapshot(const Learned& learned) {
  Knowledge knowledge;
  std::vector<ThreadProfile> profile = learned.profile();
  std::vector<AccessProfile> accesses = learned.accesses();
  number_contended(accesses, profile);
  knowledge.contended_sites = contended_sites(accesses);
  knowledge.expected_steps = learned.expected_steps();
  knowledge.release_points = learned.wants_release_points();
  knowledge.expected_threads = learned.expected_threads();
  knowledge.points = std::make_shared<const std::vector<ObjectId>>(learned.points());
  knowledge.profile = std::make_shared<const std::vector<ThreadProfile>>(std::move(profile));
  knowledge.accesses = std::make_shared<const std::vector<AccessProfile>>(std::move(accesses));
  for (const NoiseRow& row : noise_catalog()) {
    if (row.lesson == LessonKind::none || knowledge.lessons.contains(row.lesson)) continue;
    std::vector<NoiseLesson> lessons = learned.lessons(row.lesson);
    if (lessons.empty()) continue;
    knowledge.lessons[row.lesson] =
        std::make_shared<const std::vector<NoiseLesson>>(std::move(lessons));
  }
  return knowledge;
}

std::uint64_t seed_of_run(std::uint64_t campaign_seed, std::uint64_t run) {
  return combine(combine(0, campaign_seed), run);
}

std::string strategy_text(const StrategySettings& strategy) {
  const StrategyRow* row = find_strategy(strategy.name);
  if (row == nullptr || row->argument.empty()) return strategy.name;
  return fmt::format("{}:{}", strategy.name, strategy.arguments[0]);
}

std::uint64_t step_limit(std::chrono::nanoseconds timeout) {
  const double seconds = std::chrono::duration<double>(timeout).count();
  const auto steps = static_cast<std::uint64_t>(seconds * static_cast<double>(kStepsPerSecond));
  return steps < kFewestSteps ? kFewestSteps : steps;
}

PlanMaker::PlanMaker(const RunOptions& options, std::uint64_t campaign_seed)
    : options_(options), campaign_seed_(campaign_seed) {
  const StrategyRow* const row = find_strategy(options.strategy.name);
  learns_accesses_ = row == nullptr || row->learns == LearnsFrom::accesses;
}

RunInput PlanMaker::make(std::uint64_t run, const StrategyChoice& choice,
                         const Knowledge& knowledge) const {
  RunInput input;
  input.points = knowledge.points;
  input.profile = knowledge.profile;
  input.accesses = knowledge.accesses;
  input.want_accesses = learns_accesses_ && (run <= kAccessesAtFirst || run % kAccessesEvery == 0);
  RunPlan& plan = input.plan;
  plan.run = run;
  plan.seed = seed_of_run(campaign_seed_, run);
  plan.engine = options_.engine;
  plan.level = options_.level;
  plan.cpu = 0xffff;  // the worker's to choose: it decides nothing
  plan.strategy = choice.strategy;
  plan.strategy.expected_steps = knowledge.expected_steps;
  plan.strategy.expected_threads = knowledge.expected_threads;
  if (options_.noise) {
    plan.noise = noise_of_run(*options_.noise, plan.seed);
  } else if (options_.engine == EngineKind::free) {
    plan.noise = default_free_noise();
  }
  if (const NoiseRow* row = find_noise(NoiseKind::placement, plan.noise.placement)) {
    const auto lessons = knowledge.lessons.find(row->lesson);
    if (lessons != knowledge.lessons.end()) input.lessons = lessons->second;
  }
  plan.step_limit =
      options_.engine == EngineKind::controlled ? step_limit(options_.timeout) : kUnlimited;
  plan.max_stall_ns = options_.max_stall_ns;
  plan.start_time_ns = kVirtualStart;
  plan.replay_prefix = kUnlimited;
  plan.detectors = chosen_detectors(options_);
  plan.fail_on = failing_kinds(options_);
  plan.detector_memory = options_.detector_memory;
  plan.metrics = metrics_of(options_);
  if (knowledge.release_points) plan.flags |= kPlanReleasePoints;
  if (options_.spurious) plan.flags |= kPlanSpurious;
  plan.flags |= pinned_;
  if (options_.expect_output || !options_.fail_if.empty()) plan.flags |= kPlanOutputPoints;
  if (choice.prefix) {
    // Systematic: all that is not in the prefix is the default, and stalls would be choices nobody counted.
    input.replay = choice.prefix;
    plan.flags |= kPlanRecordWidths;
    return input;
  }
  input.want_decisions = choice.want_decisions;
  if (choice.follow) {
    input.replay = choice.follow;
    plan.replay_prefix = choice.follow_count;
    plan.flags |= kPlanFreeAfterDrift;
  }
  const bool may_stall = options_.engine == EngineKind::controlled && options_.max_stall_ns > 0;
  if (may_stall && combine(plan.seed, kStallDraw) % choice.one_in_so_many_stalls == 0) {
    plan.flags |= kPlanStalls;
  }
  return input;
}

}  // namespace heddle::campaign
