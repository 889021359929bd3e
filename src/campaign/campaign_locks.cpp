// What the lock orders of several runs come to together: Campaign::merge_locks.
#include "campaign/campaign.h"
#include "campaign/findings.h"

namespace heddle::campaign {

bool Campaign::merge_locks(Crew& crew, const RunSlot& slot, RoundRows& round) {
  const bool fails = (failing_kinds(options_) & bit(FindingKind::lock_order)) != 0 &&
                     slot.suspicion.kind == FailureKind::none;
  bool failed = false;
  for (const LockGraph::Circle& circle : locks_.merge(slot.record)) {
    if (!findings_.predict(circle, *oracle_)) continue;
    chooser_.aim_at(circle.finding);
    if (!fails) continue;
    if (!failed) round.failing.push_back(run_row(slot.record));
    keep_circle(crew, slot, circle, round.failing.back());
    failed = true;
  }
  return failed;
}

// The run passed, so that nothing of it was kept: it is made once more.
void Campaign::keep_circle(Crew& crew, const RunSlot& slot, const LockGraph::Circle& circle,
                           RunRow& row) {
  SiteNames sites(circle.evidence.modules);
  Failure failure;
  failure.judgement = describe_circle(circle, sites);
  failure.id = failure_id(failure.judgement, program_.executable);
  row.kind = failure_name(failure.judgement.kind);
  row.failure_id = failure.id;
  if (!by_signature_.try_emplace(failure.judgement.signature, result_.failures.size()).second) {
    return;
  }
  failure.strategy = options_.engine == EngineKind::free ? result_.strategy : row.strategy;
  failure.first_run = slot.record.input.plan.run;
  failure.last_run = failure.first_run;
  failure.count = 1;
  failure.record = slot.record;
  Work again;
  again.inputs = {&slot.record.input, 1};
  again.capture_all = true;
  std::vector<RunSlot> made = crew.execute(again);
  if (made.front().capture) failure.capture = *std::move(made.front().capture);
  failure.reproduced =
      "not replayable: no run shows it alone; --confirm makes runs that try to bring it about";
  result_.totals.failures = result_.failures.size() + 1;
  note_write(keep_failure(failure));
  observer_.failure(failure);
  failure.capture.trace = {};  // it is in the folder now
  result_.failures.push_back(std::move(failure));
}

}  // namespace heddle::campaign
