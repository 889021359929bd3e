#include "campaign/compare/comparison.h"

#include <fmt/core.h>

#include <set>

#include "campaign/coverage_options.h"
#include "campaign/describe.h"
#include "campaign/failure_folder.h"
#include "campaign/plan_json.h"
#include "campaign/process_tree.h"
#include "campaign/reproduce.h"
#include "campaign/strategy_chooser.h"
#include "host/files.h"

namespace heddle::campaign {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kDefaultTime{60};  // for all configurations together
constexpr unsigned kReplays = 10;

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

}  // namespace

std::uint64_t ComparisonResult::runs() const {
  std::uint64_t sum = 0;
  for (const Measured& one : measured) sum += one.runs;
  return sum;
}

std::uint64_t ComparisonResult::failing_runs() const {
  std::uint64_t sum = 0;
  for (const Measured& one : measured) sum += one.failing_runs;
  return sum;
}

bool ComparisonResult::took_control() const {
  for (const Measured& one : measured) {
    if (one.took_control) return true;
  }
  return false;
}

double ComparisonResult::control_percent() const {
  CampaignTotals totals;
  for (const Measured& one : measured) {
    totals.controlled_calls += one.controlled_calls;
    totals.uncontrolled_calls += one.uncontrolled_calls;
  }
  return took_control() ? totals.control_percent() : 0.0;
}

std::vector<Json> ComparisonResult::failures() const {
  std::vector<Json> all;
  std::map<std::string, std::size_t> by_signature;
  for (const Measured& one : measured) {
    for (const Json& failure : one.failures) {
      const auto [at, fresh] =
          by_signature.try_emplace(failure.at("signature").get<std::string>(), all.size());
      if (fresh) {
        all.push_back(failure);
      } else {
        Json& known = all[at->second];
        known["count"] =
            known.at("count").get<std::uint64_t>() + failure.at("count").get<std::uint64_t>();
      }
    }
  }
  return all;
}

// One configuration on its way.
struct Comparison::State {
  State(const RunOptions& chosen, const std::string& text, std::uint64_t number)
      : options(chosen), plans(options, *options.seed), chooser(options, *options.seed) {
    measured.configuration = text;
    measured.number = number;
  }

  RunOptions options;
  PlanMaker plans;
  StrategyChooser chooser;
  Learned learned;
  std::set<std::uint64_t> schedules;
  std::set<std::uint64_t> tasks;
  Measured measured;
};

Comparison::Comparison(const Program& program, const RunOptions& options,
                       std::vector<Configuration> grid, StopSignal& stop,
                       ComparisonObserver& observer)
    : program_(program),
      options_(options),
      grid_(std::move(grid)),
      stop_(stop),
      observer_(observer) {
  result_.seed = *options_.seed;
  result_.strategy = options_.strategy_text;
  result_.configurations = grid_.size();
  if (const auto metrics = chosen_metrics(options_); !metrics.empty())
    result_.metric = metrics.front();
  if (options_.time_budget || !options_.run_budget) {
    share_ = options_.time_budget.value_or(kDefaultTime) / grid_.size();
  }
  if (!options_.timeout_given && share_.count() > 0) {
    options_.timeout = std::min(
        options_.timeout, std::max<std::chrono::nanoseconds>(share_, std::chrono::seconds(1)));
  }
}

Json Comparison::about() const {
  std::vector<std::string> grid;
  for (const Configuration& configuration : grid_) grid.push_back(configuration.text);
  Json about{{"program", program_.executable},
             {"build_id", program_.build_id},
             {"arguments", program_.arguments},
             {"engine", engine_name(options_.engine)},
             {"level", level_name(options_.level)},
             {"strategy", options_.strategy_text},
             {"seed", *options_.seed},
             {"runs", nullptr},
             {"share_ns", share_.count()},
             {"timeout_ns", options_.timeout.count()},
             {"max_stall_ns", options_.max_stall_ns},
             {"fail_if", options_.fail_if},
             {"detectors", options_.detectors},
             {"metric", result_.metric},
             {"grid", grid}};
  if (options_.run_budget) about["runs"] = *options_.run_budget;
  return about;
}

Result<ComparisonResult> Comparison::run() {
  const auto start = steady_clock::now();
  become_subreaper();
  if (Result<void> made = make_writable_directory(options_.out); !made) return made.error();
  ProgressFile progress(options_.out / kProgressName);
  if (options_.resume) {
    Result<std::vector<Measured>> before = progress.resume(about());
    if (!before) return before.error();
    result_.measured = *std::move(before);
    result_.resumed = result_.measured.size();
    for (const Json& failure : result_.failures()) {
      kept_[failure.at("signature").get<std::string>()] = true;
    }
  } else if (Result<void> begun = progress.begin(about()); !begun) {
    return begun.error();
  }
  Result<Oracle> oracle = Oracle::create(options_);
  if (!oracle) return oracle.error();
  Result<TemporaryDirectory> scratch = TemporaryDirectory::create("heddle");
  if (!scratch) return scratch.error();
  CrewSettings settings;
  settings.jobs = options_.jobs;
  settings.engine = options_.engine;
  settings.timeout = options_.timeout;
  settings.scratch = scratch->path().string();
  Crew crew(program_, settings, *oracle, stop_);
  if (Result<void> started = crew.start(); !started) return started.error();

  while (result_.measured.size() < grid_.size()) {
    Result<std::optional<Measured>> measured = measure(crew, result_.measured.size());
    if (!measured) return measured.error();
    if (!*measured) {
      result_.stopped_by = StoppedBy::interrupted;
      break;
    }
    if (Result<void> written = progress.add(**measured); !written && result_.write_error.empty()) {
      result_.write_error = written.error().sentence;
    }
    result_.measured.push_back(**std::move(measured));
    // A program that cannot be controlled will not be under the next configuration either.
    if (options_.engine == EngineKind::controlled && !result_.took_control()) break;
  }
  result_.seconds = seconds_since(start);
  return std::move(result_);
}

Result<std::optional<Measured>> Comparison::measure(Crew& crew, std::size_t index) {
  RunOptions options = options_;
  options.noise = grid_[index].noise;
  options.noise_text = grid_[index].text;
  State state(options, grid_[index].text, index + 1);
  Work work;
  if (share_.count() > 0) work.until = steady_clock::now() + share_;
  work.tick = [&](std::size_t) { observer_.progress(index + 1, state.measured); };
  for (;;) {
    const std::uint64_t first = state.measured.runs + 1;
    std::uint64_t last = state.chooser.last_of_round(first);
    if (options.run_budget) last = std::min(last, *options.run_budget);
    const Knowledge knowledge = snapshot(state.learned);
    std::vector<RunInput> inputs;
    for (std::uint64_t run = first; run <= last; ++run) {
      const std::optional<StrategyChoice> choice = state.chooser.choose(run, knowledge);
      if (!choice) break;
      inputs.push_back(state.plans.make(run, *choice, knowledge));
    }
    if (inputs.empty()) break;
    work.inputs = inputs;
    std::vector<RunSlot> slots = crew.execute(work);
    bool cut = false;
    const auto merging = steady_clock::now();
    for (RunSlot& slot : slots) {
      if (cut) {
        tally_.merge(
            slot.record);  // it does not count, but what it told of tasks will not be told again
        continue;
      }
      if (!slot.done) {
        if (slot.record.ended_by == EndedBy::lost) {
          return Error{fmt::format(
              "'{}' could not be started again; look at the number of processes and at free "
              "memory, then go on with --resume.",
              program_.arguments[0])};
        }
        if (stop_.raised()) return std::optional<Measured>();
        cut = true;
        continue;
      }
      merge(crew, state, slot);
    }
    // Replaying what failed is not the configuration's doing.
    if (work.until) *work.until += steady_clock::now() - merging;
    observer_.progress(index + 1, state.measured);
    const bool enough = options.run_budget && state.measured.runs >= *options.run_budget;
    const bool late = work.until && steady_clock::now() >= *work.until;
    if (cut || enough || late) break;
  }
  return std::optional<Measured>(std::move(state.measured));
}

void Comparison::merge(Crew& crew, State& state, RunSlot& slot) {
  Measured& measured = state.measured;
  const RunOutcome& outcome = slot.record.outcome;
  ++measured.runs;
  measured.seconds += slot.record.seconds;
  measured.steps += outcome.steps;
  measured.disturbances += outcome.disturbances;
  measured.controlled_calls += outcome.controlled_calls;
  measured.uncontrolled_calls += outcome.uncontrolled_calls;
  measured.took_control = measured.took_control || slot.record.took_control;
  if (outcome.schedule_hash != 0) state.schedules.insert(outcome.schedule_hash);
  measured.distinct_schedules = state.schedules.size();
  tally_.merge(slot.record);
  if (const MetricCatalogRow* const row = find_metric(result_.metric)) {
    const auto metric = static_cast<std::uint8_t>(row - metric_catalog().data());
    for (const std::uint64_t task : tally_.tasks_in(slot.record, metric)) state.tasks.insert(task);
    measured.covered_tasks = state.tasks.size();
  }
  state.learned.merge(slot.record);
  state.chooser.learn(slot.record);
  if (slot.suspicion.kind == FailureKind::none) return;

  ++measured.failing_runs;
  if (measured.first_failing_run == 0) measured.first_failing_run = slot.record.input.plan.run;
  SiteNames sites(slot.capture->modules);
  const Judgement judgement = describe(slot.record, *slot.capture, slot.suspicion, sites);
  for (Json& failure : measured.failures) {
    if (failure.at("signature").get<std::string>() != judgement.signature) continue;
    failure["count"] = failure.at("count").get<std::uint64_t>() + 1;
    return;
  }
  measured.failures.push_back(keep_failure(crew, state, slot, judgement));
}

// The first run of each signature over all configurations gets a folder, so that it can be replayed.
Json Comparison::keep_failure(Crew& crew, const State& state, RunSlot& slot,
                              const Judgement& judgement) {
  Failure failure;
  failure.id = failure_id(judgement, program_.executable);
  failure.judgement = judgement;
  failure.strategy = result_.strategy;
  failure.first_run = slot.record.input.plan.run;
  failure.count = 1;
  failure.record = std::move(slot.record);
  failure.capture = *std::move(slot.capture);
  failure.reproduced = "not replayed: an earlier configuration failed in the same way";
  failure.directory = std::filesystem::absolute(options_.out / "failures" / failure.id).string();
  if (kept_.try_emplace(judgement.signature, true).second) {
    if (options_.engine == EngineKind::controlled && failure.record.took_control) {
      ReproductionRequest request;
      request.input = replay_input(failure.record, failure.capture);
      request.expected = judgement;
      request.event_hash = failure.record.outcome.event_hash;
      request.times = kReplays;
      adopt(failure, reproduce(crew, request));
    } else {
      failure.reproduced = "not replayable: only the controlled engine records decisions";
    }
    FolderContents contents;
    contents.failure = &failure;
    contents.program = &program_;
    contents.options = &state.options;
    contents.campaign_seed = result_.seed;
    const auto folder = write_failure_folder(options_.out / "failures", contents);
    if (!folder && result_.write_error.empty()) result_.write_error = folder.error().sentence;
  }
  Json json = failure_json(failure);
  json["noise"] = state.measured.configuration;
  return json;
}

}  // namespace heddle::campaign
