#include "campaign/pending_run.h"

#include "campaign/state_bytes.h"

namespace heddle::campaign {

namespace {

// What tells whether the plan is still the one the run was made with.
std::uint64_t plan_mark(const RunInput& input) {
  std::uint64_t mark = combine(input.plan.seed, input.plan.run);
  mark = hash_bytes(input.plan.strategy.name, sizeof input.plan.strategy.name, mark);
  mark = combine(mark, static_cast<std::uint64_t>(input.plan.strategy.arguments[0]));
  mark = combine(mark, input.plan.flags);
  mark = combine(mark, input.plan.replay_prefix);
  return combine(mark, input.points ? input.points->size() : 0);
}

}  // namespace

std::string pending_bytes(const RunSlot& slot) {
  const RunRecord& record = slot.record;
  if (!slot.done || slot.suspicion.kind != FailureKind::none) return {};
  if (!record.findings.empty()) return {};  // they need the modules to be described
  StateWriter to;
  to.put(plan_mark(record.input));
  RunOutcome outcome = record.outcome;
  const std::vector<char> head(reinterpret_cast<const char*>(&outcome),
                               reinterpret_cast<const char*>(&outcome.blocked));
  to.list(head);
  std::vector<UncontrolledCall> calls;
  for (const UncontrolledCall& call : outcome.uncontrolled) {
    if (call.count > 0) calls.push_back(call);
  }
  to.list(calls);
  to.text(outcome.internal_error);
  to.put(record.ended_by);
  to.put(record.wait_status);
  to.put(record.took_control);
  to.put(record.stragglers);
  to.put(record.seconds);
  to.list(record.threads);
  to.list(record.new_points);
  to.list(record.accesses);
  to.list(record.widths);
  to.list(record.decisions);
  to.list(record.lessons);
  to.list(record.lock_edges);
  to.list(record.creations);
  to.put(record.detection_dropped);
  to.list(record.coverage.features);
  to.list(record.coverage.tasks);
  to.list(record.coverage.threads);
  to.list(record.coverage.objects);
  to.put(record.coverage.dropped);
  to.list(record.modules);
  to.put(slot.checked);
  to.put(slot.same);
  return to.take();
}

std::optional<RunSlot> pending_slot(std::string_view bytes, const RunInput& input) {
  StateReader from(bytes);
  if (from.get<std::uint64_t>() != plan_mark(input)) return std::nullopt;
  RunSlot slot;
  RunRecord& record = slot.record;
  record.input = input;
  RunOutcome& outcome = record.outcome;
  const std::vector<char> head = from.list<char>();
  if (head.size() != offsetof(RunOutcome, blocked)) return std::nullopt;
  std::memcpy(&outcome, head.data(), head.size());
  const std::vector<UncontrolledCall> calls = from.list<UncontrolledCall>();
  if (calls.size() > kMaxUncontrolledCalls) return std::nullopt;
  std::copy(calls.begin(), calls.end(), outcome.uncontrolled);
  const std::string internal_error = from.text();
  if (internal_error.size() >= sizeof outcome.internal_error) return std::nullopt;
  std::memcpy(outcome.internal_error, internal_error.c_str(), internal_error.size() + 1);
  record.ended_by = from.get<EndedBy>();
  record.wait_status = from.get<int>();
  record.took_control = from.get<bool>();
  record.stragglers = from.get<std::uint32_t>();
  record.seconds = from.get<double>();
  record.threads = from.list<ThreadRecord>();
  record.new_points = from.list<ObjectId>();
  record.accesses = from.list<AccessProfile>();
  record.widths = from.list<std::uint8_t>();
  record.decisions = from.list<Decision>();
  record.lessons = from.list<NoiseLesson>();
  record.lock_edges = from.list<LockEdge>();
  record.creations = from.list<CreationEvent>();
  record.detection_dropped = from.get<std::uint64_t>();
  record.coverage.features = from.list<std::uint64_t>();
  record.coverage.tasks = from.list<TaskRecord>();
  record.coverage.threads = from.list<AbstractThread>();
  record.coverage.objects = from.list<AbstractObject>();
  record.coverage.dropped = from.get<std::uint64_t>();
  record.modules = from.list<ModuleRecord>();
  slot.checked = from.get<bool>();
  slot.same = from.get<bool>();
  slot.done = true;
  if (!from.ok() || !from.at_end()) return std::nullopt;
  return slot;
}

}  // namespace heddle::campaign
