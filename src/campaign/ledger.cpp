#include "campaign/ledger.h"

#include "campaign/failure_folder.h"
#include "campaign/json_text.h"
#include "campaign/pending_run.h"
#include "campaign/plan_json.h"
#include "campaign/plan_maker.h"
#include "campaign/store/coverage_rows.h"
#include "campaign/store/lock_rows.h"
#include "host/files.h"
#include "host/text.h"

namespace heddle::campaign {

Result<std::unique_ptr<Ledger>> Ledger::open(const Opening& opening) {
  const RunOptions& options = *opening.options;
  Result<std::unique_ptr<Store>> store = Store::open(options.out / "campaign.sqlite");
  if (!store) return store.error();
  std::unique_ptr<Ledger> ledger(new Ledger(*std::move(store)));
  CampaignRow row;
  row.program = opening.program->executable;
  row.build_id = opening.program->build_id;
  row.configuration = configuration_text(*opening.program, options);
  row.engine = engine_name(options.engine);
  row.strategy = opening.strategy;
  row.seed = opening.seed;
  if (options.resume) {
    Result<std::optional<StoredCampaign>> earlier = ledger->store_->take_up(
        row, options.seed ? Store::SeedWanted::this_one : Store::SeedWanted::any);
    if (!earlier) return earlier.error();
    ledger->earlier_ = *std::move(earlier);
    if (ledger->earlier_) {
      for (auto& [run, bytes] : ledger->earlier_->pending) {
        ledger->pending_.emplace(run, std::move(bytes));
      }
      return ledger;
    }
    Result<std::string> inherited = ledger->store_->last_learned(row);
    if (!inherited) return inherited.error();
    ledger->inherited_ = *std::move(inherited);
  }
  if (Result<void> begun = ledger->store_->begin_campaign(row); !begun) return begun.error();
  return ledger;
}

void Ledger::note(const Result<void>& written) {
  if (!written && error_.empty()) error_ = written.error().sentence;
}

std::string Ledger::error() {
  const std::lock_guard lock(mutex_);
  return error_;
}

std::optional<RunSlot> Ledger::recall(const RunInput& input) {
  const auto at = pending_.find(input.plan.run);
  if (at == pending_.end()) return std::nullopt;
  std::optional<RunSlot> slot = pending_slot(at->second, input);
  pending_.erase(at);
  return slot;
}

void Ledger::finished(const RunSlot& slot) {
  const std::string pending = pending_bytes(slot);
  const std::lock_guard lock(mutex_);
  if (error_.empty()) note(store_->add_run(run_row(slot.record), pending));
}

void Ledger::end_round(const RoundRows& round, CoverageTally& tally, LockGraph& locks) {
  const std::lock_guard lock(mutex_);
  if (!error_.empty()) return;
  note(store_->end_round(round, [&] {
    Result<void> put = put_coverage(*store_, tally);
    return put ? put_lock_edges(*store_, locks) : put;
  }));
}

void Ledger::end_campaign(const std::string& stopped_by, double seconds) {
  const std::lock_guard lock(mutex_);
  if (error_.empty()) note(store_->end_campaign(stopped_by, seconds));
}

std::string configuration_text(const Program& program, const RunOptions& options) {
  Json json;
  json["arguments"] =
      std::vector<std::string>(program.arguments.begin() + 1, program.arguments.end());
  json["directory"] = program.directory;
  json["stdin"] = program.stdin_path;
  json["engine"] = engine_name(options.engine);
  json["level"] = level_name(options.level);
  json["strategy"] = options.strategy_text;
  json["noise"] = options.noise_text;
  json["max_stall_ns"] = options.max_stall_ns;
  if (options.spurious) json["spurious"] = true;
  json["timeout_ns"] = options.timeout.count();
  json["fail_if"] = options.fail_if;
  json["expect_output"] = options.expect_output ? options.expect_output->string() : "";
  json["detect"] = options.detectors;
  json["confirm"] = options.confirm;
  json["fail_on"] = Json::array();
  for (const FindingKind kind : options.fail_on) json["fail_on"].push_back(static_cast<int>(kind));
  json["coverage"] = options.coverage;
  return compact(json);
}

RunRow run_row(const RunRecord& record) {
  RunRow row;
  row.run = record.input.plan.run;
  row.seed = record.input.plan.seed;
  row.strategy = strategy_text(record.input.plan.strategy);
  row.wait_status = record.wait_status;
  row.steps = record.outcome.steps;
  row.preemptions = record.outcome.preemptions;
  row.schedule_hash = record.outcome.schedule_hash;
  row.event_hash = record.outcome.event_hash;
  row.seconds = record.seconds;
  return row;
}

FailureRow failure_row(const Failure& failure) {
  return {failure.id,
          std::string(failure_name(failure.judgement.kind)),
          failure.judgement.message,
          failure.judgement.signature,
          failure.reproduced,
          failure.first_run,
          failure.count,
          compact(failure_json(failure))};
}

Failure failure_of(const FailureRow& row) {
  Failure failure;
  failure.from_store = true;
  failure.id = row.id;
  failure.judgement.message = row.message;
  failure.judgement.signature = row.signature;
  for (auto kind = FailureKind::crash; kind <= FailureKind::output;
       kind = static_cast<FailureKind>(static_cast<int>(kind) + 1)) {
    if (failure_name(kind) == row.kind) failure.judgement.kind = kind;
  }
  failure.reproduced = row.reproduced;
  failure.first_run = row.first_run;
  failure.count = row.count;
  const Json summary = Json::parse(row.summary, nullptr, false);
  if (!summary.is_object()) return failure;
  failure.stored = row.summary;
  failure.unfinished = summary.value("unfinished", false);
  failure.strategy = summary.value("strategy", "");
  failure.directory = utf8_to_bytes(summary.value("directory", ""));
  if (const auto finding = summary.find("finding");
      finding != summary.end() && finding->is_string()) {
    failure.judgement.finding = finding->get<std::string>();
    failure.judgement.detector = summary.value("detector", "");
  }
  RunOutcome& after = failure.record.outcome;
  after.preemptions = summary.value("preemptions_after", std::uint64_t{0});
  after.switches = summary.value("switches_after", std::uint64_t{0});
  RunOutcome& before = failure.original.emplace().record.outcome;
  before.preemptions = summary.value("preemptions_before", std::uint64_t{0});
  before.switches = summary.value("switches_before", std::uint64_t{0});
  return failure;
}

Result<void> update_count(const Failure& failure) {
  const std::filesystem::path file = std::filesystem::path(failure.directory) / "failure.json";
  const Result<std::string> text = read_file(file);
  if (!text) return {};  // the folder was moved or mailed away
  Json json = Json::parse(*text, nullptr, false);
  if (!json.is_object()) return {};
  json["count"] = failure.count;
  return write_file(file, readable(json));
}

}  // namespace heddle::campaign
