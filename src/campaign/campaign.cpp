#include "campaign/campaign.h"

#include <unistd.h>

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "campaign/describe.h"
#include "campaign/explain.h"
#include "campaign/failure_folder.h"
#include "campaign/findings.h"
#include "campaign/minimise_failure.h"
#include "campaign/plan_json.h"
#include "campaign/process_tree.h"
#include "campaign/reproduce.h"
#include "host/files.h"

namespace heddle::campaign {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kDefaultBudget{60};
constexpr unsigned kReplays = 10;
// One run of so many is made again, to see whether it comes out the same; fewer once that is known well.
constexpr std::uint64_t kCheckEvery = 50;
constexpr std::uint64_t kCheckEveryLater = 200;
constexpr std::uint64_t kKnownWell = 1000;
constexpr std::size_t kLately = 100;
// What is found at the very end of --for is still replayed, if that is quick.
constexpr std::chrono::milliseconds kLastMoment{500};
constexpr std::chrono::seconds kMinimiseTime{30};  // a safety net: runs are what is counted

}  // namespace

std::uint64_t chosen_seed(const RunOptions& options) {
  if (options.seed) return *options.seed;
  const auto now = steady_clock::now().time_since_epoch().count();
  return mix64(static_cast<std::uint64_t>(now) ^ static_cast<std::uint64_t>(getpid())) & 0xffffffff;
}

unsigned chosen_jobs(const RunOptions& options) {
  // One by one unless asked: runs beside each other of a program with a fixed port, file or name would disturb each other.
  return std::max(1u, options.jobs);
}

Campaign::Campaign(const Program& program, const RunOptions& options, StopSignal& stop,
                   CampaignObserver& observer)
    : program_(program),
      options_(options),
      stop_(stop),
      observer_(observer),
      start_(steady_clock::now()),
      plans_(options, chosen_seed(options)),
      chooser_(options, plans_.campaign_seed()) {
  result_.seed = plans_.campaign_seed();
  result_.strategy = options.engine == EngineKind::free && !options.strategy_given
                         ? "noise"
                         : options.strategy_text;
  if (options_.time_budget) end_ = start_ + *options_.time_budget;
}

double Campaign::seconds() const {
  return seconds_before_ + std::chrono::duration<double>(steady_clock::now() - start_).count();
}

Result<CampaignResult> Campaign::run() {
  become_subreaper();
  if (Result<void> made = make_writable_directory(options_.out); !made) return made.error();
  if (Result<void> opened = open_ledger(); !opened) return opened.error();
  Result<Oracle> oracle = Oracle::create(options_);
  if (!oracle) return oracle.error();
  oracle_ = &*oracle;
  Result<TemporaryDirectory> scratch = TemporaryDirectory::create("heddle");
  if (!scratch) return scratch.error();

  CrewSettings settings;
  settings.jobs = chosen_jobs(options_);
  settings.engine = options_.engine;
  settings.timeout = options_.timeout;
  settings.scratch = scratch->path().string();
  Crew crew(program_, settings, *oracle, stop_);
  if (Result<void> started = crew.start(); !started) return started.error();

  const bool has_budget = options_.time_budget || options_.run_budget || options_.until_saturation;
  Work work;
  if (options_.time_budget || !has_budget) {
    work.until = start_ + options_.time_budget.value_or(kDefaultBudget);
  }
  work.stop_at_failure = !options_.keep_going;
  work.finished = [&](const RunSlot& slot) { ledger_->finished(slot); };
  work.tick = [&](std::size_t ended) { observer_.progress(totals_now(ended)); };
  if (options_.engine == EngineKind::controlled) {
    work.check_again = [](const RunInput& input) {
      const std::uint64_t run = input.plan.run;
      return run % (run <= kKnownWell ? kCheckEvery : kCheckEveryLater) == 1;
    };
  }
  for (;;) {
    if (options_.run_budget && result_.totals.runs >= *options_.run_budget) break;
    std::vector<RunSlot> slots = run_round(crew, work);
    if (slots.empty()) {
      result_.stopped_by = StoppedBy::exhausted;
      break;
    }
    const Result<bool> go_on = merge_round(crew, slots);
    if (!go_on) return go_on.error();
    observer_.progress(totals_now(0));
    if (!*go_on) break;
  }
  result_.addresses_vary = crew.addresses_vary();
  result_.totals = totals_now(0);
  finish_coverage();
  result_.health = health_.sentences(program_);
  result_.became_another = health_.always_became_another();
  for (const Failure& failure : result_.failures) {
    if (failure.count > 1) {
      note_write(failure.from_store ? update_count(failure) : write_failure_json(failure));
    }
  }
  ledger_->end_campaign(std::string(stopped_by_name(result_.stopped_by)), result_.totals.seconds);
  if (result_.write_error.empty()) result_.write_error = ledger_->error();
  result_.findings = findings_.counts();
  result_.unseen_orders = findings_.unseen_orders();
  result_.not_instrumented = findings_.not_instrumented();
  result_.detection_dropped += locks_.dropped();
  return std::move(result_);
}

Result<bool> Campaign::merge_round(Crew& crew, std::vector<RunSlot>& slots) {
  RoundRows round;
  bool go_on = true;
  bool after_stray = false;
  for (RunSlot& slot : slots) {
    if (!slot.done) {
      if (slot.record.ended_by == EndedBy::lost) {
        return Error{
            fmt::format("'{}' could not be started again after {} runs; look at the number "
                        "of processes and at free memory.",
                        program_.arguments[0], result_.totals.runs)};
      }
      if (after_stray && !stop_.raised()) break;  // the crew stopped there; the next round goes on
      result_.stopped_by = stop_.raised() ? StoppedBy::interrupted : StoppedBy::budget;
      go_on = false;
      break;
    }
    after_stray = false;
    merge_run(slot);
    bool failed = merge_locks(crew, slot, round);
    if (slot.suspicion.kind != FailureKind::none) {
      round.failing.push_back(run_row(slot.record));
      for (;;) {
        if (Result<void> kept = merge_failure(crew, slot, round.failing.back()); !kept) {
          result_.write_error = kept.error().sentence;
        }
        if (slot.suspicion.kind != FailureKind::finding) break;
        const std::optional<std::size_t> next =
            oracle_->failing_finding(slot.record, slot.suspicion.finding + 1);
        if (!next) break;
        slot.suspicion.finding = *next;
      }
      after_stray = !failed && is_stray(round.failing.back().failure_id);
      failed = true;
    }
    if (!failed) continue;
    ++result_.totals.failing_runs;
    if (!options_.keep_going && !after_stray) {
      result_.stopped_by = stop_.raised() ? StoppedBy::interrupted : StoppedBy::failure;
      go_on = false;
      break;
    }
  }
  round.last = result_.totals.runs;
  for (const Failure& failure : result_.failures) round.failures.push_back(failure_row(failure));
  round.findings = findings_.rows();
  round.learned = state();
  ledger_->end_round(round, tally_, locks_);
  if (!go_on) return false;
  if (!ledger_->error().empty()) {
    result_.stopped_by = StoppedBy::interrupted;
    return false;
  }
  if (!result_.took_control && options_.engine == EngineKind::controlled) return false;
  if (options_.run_budget && result_.totals.runs >= *options_.run_budget) return false;
  note_coverage();
  if (saturated()) {
    result_.stopped_by = StoppedBy::saturation;
    return false;
  }
  return true;
}

void Campaign::merge_run(RunSlot& slot) {
  const RunRecord& record = slot.record;
  const RunOutcome& outcome = record.outcome;
  CampaignTotals& totals = result_.totals;
  ++totals.runs;
  learned_.merge(record);
  const NewTasks new_tasks = merge_coverage(record);
  if (options_.engine == EngineKind::controlled) health_.see(record);
  result_.detection_dropped += record.detection_dropped;
  findings_.see(record, *oracle_, FindingTally::Run::of_campaign, slot.suspicion.kind);
  chooser_.learn(record, new_tasks);
  result_.took_control = result_.took_control || record.took_control;
  const bool is_new = outcome.schedule_hash != 0 && schedules_.insert(outcome.schedule_hash).second;
  if (is_new) last_new_run_ = totals.runs;
  recently_new_.push_back(is_new);
  if (recently_new_.size() > kLately) recently_new_.erase(recently_new_.begin());
  totals.distinct_schedules = schedules_.size();
  totals.new_lately =
      static_cast<std::uint64_t>(std::count(recently_new_.begin(), recently_new_.end(), true));
  totals.controlled_calls += outcome.controlled_calls;
  totals.uncontrolled_calls += outcome.uncontrolled_calls;
  totals.watchdog_handovers += outcome.watchdog_handovers;
  totals.points_skipped += outcome.points_skipped;
  totals.steps += outcome.steps;
  totals.stragglers += record.stragglers;
  totals.checks += slot.checked ? 1 : 0;
  totals.checks_same += slot.same ? 1 : 0;
  for (const UncontrolledCall& call : outcome.uncontrolled) {
    if (call.count > 0) result_.uncontrolled[std::string(call.name)] += call.count;
  }
  if (outcome.verdict == Verdict::internal_error && result_.internal_error.empty()) {
    result_.internal_error = outcome.internal_error;
  }
}

Result<void> Campaign::merge_failure(Crew& crew, RunSlot& slot, RunRow& row) {
  if (slot.suspicion.kind == FailureKind::finding) {
    // A replay follows decisions and steers nowhere: it fails by the finding.
    slot.record.input.plan.fail_on |= bit(slot.record.findings[slot.suspicion.finding].kind);
  }
  SiteNames sites(slot.capture->modules);
  const Judgement judgement = describe(slot.record, *slot.capture, slot.suspicion, sites);
  row.kind = failure_name(judgement.kind);
  row.failure_id = failure_id(judgement, program_.executable);
  if (judgement.kind == FailureKind::deadlock) {
    std::set<std::string> places;
    for (std::size_t i = 0; i < slot.record.outcome.blocked_count; ++i) {
      places.insert(sites.waiting(slot.record.outcome.blocked[i]));
    }
    findings_.see_deadlock(slot.record.input.plan.run, places);
  }
  const auto [at, fresh] = by_signature_.try_emplace(judgement.signature, result_.failures.size());
  // A timeout that did not come again may yet be the program's: it is looked at anew. So is what an interruption left undone.
  const bool taken_up =
      !fresh && result_.failures[at->second].unfinished && result_.failures[at->second].from_store;
  const bool again = taken_up || (!fresh && result_.failures[at->second].stray());
  if (!fresh && !again) {
    // A run that shows it at two addresses counts once.
    Failure& known = result_.failures[at->second];
    if (known.last_run != slot.record.input.plan.run) ++known.count;
    known.last_run = slot.record.input.plan.run;
    return {};
  }
  Failure failure;
  failure.id = row.failure_id;
  failure.judgement = judgement;
  failure.strategy = options_.engine == EngineKind::free ? result_.strategy : row.strategy;
  failure.first_run = slot.record.input.plan.run;
  failure.last_run = failure.first_run;
  failure.count = 1;
  failure.record = slot.record;
  failure.capture = *slot.capture;
  observer_.checking_failure(judgement);
  check_failure(crew, failure);
  if (again) {
    Failure& known = result_.failures[at->second];
    failure.count += known.count;
    if (taken_up) {
      failure.first_run = known.first_run;
      failure.strategy = known.strategy;
    }
    if (failure.stray()) {
      known.count = failure.count;
      known.last_run = failure.last_run;
      return {};
    }
  }
  if (options_.minimize) minimise_found(crew, failure);
  failure.unfinished = stop_.raised();
  result_.totals.failures = by_signature_.size();
  Result<void> kept = keep_failure(failure);
  observer_.failure(failure);
  failure.capture.trace = {};  // it is in the folder now
  if (again) {
    result_.failures[at->second] = std::move(failure);
  } else {
    result_.failures.push_back(std::move(failure));
  }
  return kept;
}

bool Campaign::is_stray(const std::string& id) const {
  const auto found = std::ranges::find(result_.failures, id, &Failure::id);
  return found != result_.failures.end() && found->stray();
}

void Campaign::check_failure(Crew& crew, Failure& failure) {
  if (options_.engine != EngineKind::controlled || !failure.record.took_control) {
    failure.reproduced = "not replayable: only the controlled engine records decisions";
    return;
  }
  ReproductionRequest request;
  request.input = replay_input(failure.record, failure.capture);
  request.expected = failure.judgement;
  request.event_hash = failure.record.outcome.event_hash;
  request.times = kReplays;
  if (end_) request.until = std::max(*end_, steady_clock::now() + kLastMoment);
  Reproduction reproduction = reproduce(crew, request, [&] { observer_.progress(totals_now(0)); });
  for (const Attempt& attempt : reproduction.attempts) {
    if (attempt.record.ended_by != EndedBy::itself) continue;  // how far it came says nothing
    ++result_.totals.checks;
    if (attempt.same_failure && attempt.same_events) ++result_.totals.checks_same;
  }
  adopt(failure, std::move(reproduction));
}

// Only what comes again every time can be made smaller.
void Campaign::minimise_found(Crew& crew, Failure& failure) {
  if (failure.replays == 0 || failure.replays_same < failure.replays) return;
  if (failure.record.outcome.decisions_dropped > 0) return;
  MinimiseRequest request;
  request.input = replay_input(failure.record, failure.capture);
  request.new_points = failure.record.new_points;
  request.expected = failure.judgement;
  request.until = steady_clock::now() + kMinimiseTime;
  if (end_) request.until = std::min(*request.until, *end_);
  request.tick = [&] { observer_.progress(totals_now(0)); };
  adopt(failure, minimise_failure(crew, request));
  ExplainRequest why;
  why.input = replay_input(failure.record, failure.capture);
  why.expected = failure.judgement;
  why.record = &failure.record;
  why.capture = &failure.capture;
  why.until = request.until;
  why.tick = request.tick;
  why.saw = [&](const RunRecord& record, FailureKind kind) {
    findings_.see(record, *oracle_, FindingTally::Run::neighbour, kind);
  };
  failure.explanation = explain(crew, why);
}

Result<void> Campaign::keep_failure(Failure& failure) {
  failure.directory = std::filesystem::absolute(options_.out / "failures" / failure.id).string();
  FolderContents contents;
  contents.failure = &failure;
  contents.program = &program_;
  contents.options = &options_;
  contents.campaign_seed = result_.seed;
  const Result<std::filesystem::path> folder =
      write_failure_folder(options_.out / "failures", contents);
  if (!folder) return folder.error();
  return {};
}

void Campaign::note_write(const Result<void>& written) {
  if (!written && result_.write_error.empty()) result_.write_error = written.error().sentence;
}

CampaignTotals Campaign::totals_now(std::size_t in_flight) const {
  CampaignTotals totals = result_.totals;
  totals.runs += in_flight;
  totals.seconds = seconds();
  return totals;
}

}  // namespace heddle::campaign
