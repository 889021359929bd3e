// What a worker brings back of a run.
#include <algorithm>

#include "campaign/worker.h"

namespace heddle::campaign {

namespace {

constexpr std::uint64_t kKeptOutput = std::uint64_t{4}
                                      << 20;  // of each stream, in a failure folder

}  // namespace

void Worker::read_outcome(RunRecord& record) {
  const ControlBlock& control = *map_.block();
  record.outcome = control.outcome;
  RunOutcome& outcome = record.outcome;
  outcome.blocked_count = std::min<std::uint16_t>(outcome.blocked_count, kMaxBlockedThreads);
  outcome.decision_count = std::min<std::uint64_t>(outcome.decision_count, kDecisionCapacity);
  const std::uint32_t threads = std::min<std::uint32_t>(outcome.thread_count, kMaxThreads);
  record.threads.assign(control.threads, control.threads + threads);
  const std::size_t before = control.plan.point_count;
  const std::size_t after = std::min<std::size_t>(outcome.point_count, kPointCapacity);
  if (after > before) record.new_points.assign(control.points + before, control.points + after);
  const std::size_t findings = std::min<std::size_t>(control.finding_count, kFindingCapacity);
  record.findings.assign(control.findings, control.findings + findings);
  record.detection_dropped =
      control.detection_dropped + control.findings_dropped + control.lock_edges_dropped;
  const std::size_t edges = std::min<std::size_t>(control.lock_edge_count, kLockEdgeCapacity);
  record.lock_edges.assign(control.lock_edges, control.lock_edges + edges);
  if (edges > 0) {
    const std::size_t created = std::min<std::size_t>(control.creation_count, kCreationCapacity);
    record.creations.assign(control.creations, control.creations + created);
  }
  if (control.plan.metrics != 0) read_coverage(record.coverage);
  if (findings > 0 || edges > 0 || !record.coverage.tasks.empty()) {
    const std::size_t modules = std::min<std::size_t>(control.module_count, kMaxModules);
    record.modules.assign(control.modules, control.modules + modules);
    const std::size_t stacks = std::min<std::size_t>(control.stack_count, kStackCapacity);
    record.stacks.assign(control.stacks, control.stacks + stacks);
  }
  if (record.input.want_accesses) {
    const std::size_t count = std::min<std::size_t>(control.access_count, kAccessCapacity);
    record.accesses.assign(control.accesses, control.accesses + count);
  }
  const std::size_t lessons = std::min<std::size_t>(control.lesson_count, kLessonCapacity);
  record.lessons.assign(control.lessons, control.lessons + lessons);
  if (record.input.want_decisions && outcome.decisions_dropped == 0) {
    record.decisions.assign(control.decisions, control.decisions + outcome.decision_count);
  }
  if ((control.plan.flags & kPlanRecordWidths) != 0) {
    const std::size_t count = std::min<std::size_t>(outcome.steps, kWidthCapacity);
    record.widths.assign(control.widths, control.widths + count);
  }
}

void Worker::read_coverage(RunCoverage& coverage) {
  const CoverageArea& area = map_.block()->coverage;
  const auto take = [](auto& to, const auto& from, std::uint64_t first, std::uint64_t count) {
    const std::uint64_t last = std::min<std::uint64_t>(count, std::size(from));
    if (last > first) to.assign(from + first, from + last);
    return last;
  };
  take(coverage.features, area.covered, 0, area.covered_count);
  take(coverage.tasks, area.described, 0, area.described_count);
  threads_told_ = take(coverage.threads, area.threads, threads_told_, area.thread_count);
  objects_told_ = take(coverage.objects, area.objects, objects_told_, area.object_count);
  coverage.dropped = area.dropped;
}

RunCapture Worker::capture() {
  const ControlBlock& control = *map_.block();
  RunCapture capture;
  const auto take = [](auto& to, const auto& area, std::uint64_t count, std::uint64_t capacity) {
    to.assign(area, area + std::min(count, capacity));
  };
  take(capture.decisions, control.decisions, control.outcome.decision_count, kDecisionCapacity);
  take(capture.modules, control.modules, control.module_count, kMaxModules);
  take(capture.threads, control.threads, control.outcome.thread_count, kMaxThreads);
  take(capture.heap, control.heap_records, control.heap_record_count, kHeapRecordCapacity);
  take(capture.allocation_calls, control.allocation_calls, control.allocation_calls_count,
       kAllocationCallsCapacity);
  capture.trace_count = control.trace_count;
  if (control.trace_count <= kTraceCapacity) {
    take(capture.trace, control.trace, control.trace_count, kTraceCapacity);
  } else {
    const std::uint64_t oldest = control.trace_count % kTraceCapacity;
    capture.trace.assign(control.trace + oldest, control.trace + kTraceCapacity);
    capture.trace.insert(capture.trace.end(), control.trace, control.trace + oldest);
  }
  const std::uint64_t lost = capture.trace_count - capture.trace.size();
  capture.calls = take_calls(capture.trace);
  capture.trace_count = capture.trace.size() + lost;
  capture.out = directory_.out().contents(kKeptOutput);
  capture.err = directory_.err().contents(kKeptOutput);
  return capture;
}

}  // namespace heddle::campaign
