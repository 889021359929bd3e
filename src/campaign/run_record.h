// What goes into one run and what comes back, as the tool keeps them. Plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "campaign/call_tree.h"
#include "campaign/run_directory.h"
#include "contract/control_block.h"

namespace heddle::campaign {

// Shared between the plans of a round: they all start from the same knowledge.
template <class T>
using SharedList = std::shared_ptr<const std::vector<T>>;

struct RunInput {
  RunPlan plan{};
  SharedList<ObjectId> points;         // learned scheduling points
  SharedList<ThreadProfile> profile;   // what earlier runs saw of each thread
  SharedList<AccessProfile> accesses;  // who did what where in earlier runs
  SharedList<NoiseLesson> lessons;     // what earlier runs taught the noise of this one
  SharedList<Decision> replay;         // to follow
  bool want_accesses = false;          // this run fills its own table and brings it back
  bool want_decisions = false;         // and what it decided
};

enum class EndedBy : std::uint8_t {
  itself,
  deadline,     // we ended it
  interrupted,  // the tool was told to stop: the run does not count
  lost,         // the server died with it, or it could not be forked: the run does not count
};

// What metrics saw in a run, and what the tool has not been told of it by an earlier run of the same worker.
struct RunCoverage {
  std::vector<std::uint64_t> features;
  std::vector<TaskRecord> tasks;
  std::vector<AbstractThread> threads;
  std::vector<AbstractObject> objects;
  std::uint64_t dropped = 0;
};

struct RunRecord {
  RunInput input;
  RunOutcome outcome{};
  EndedBy ended_by = EndedBy::itself;
  int wait_status = 0;
  bool took_control = false;  // the runtime said hello
  bool output_cut = false;
  std::uint32_t stragglers = 0;  // processes it left behind
  std::uint32_t watchdog_requests = 0;
  double seconds = 0;
  std::vector<ThreadRecord> threads;
  std::vector<ObjectId> new_points;  // found in this run
  std::vector<AccessProfile> accesses;
  std::vector<NoiseLesson> lessons;  // what noise learned in this run
  std::vector<Decision> decisions;   // where wanted
  std::vector<std::uint8_t> widths;  // by step, with kPlanRecordWidths
  std::vector<Finding> findings;     // one per pair of places
  std::vector<LockEdge> lock_edges;  // each once
  std::vector<CreationEvent> creations;
  std::vector<ModuleRecord> modules;  // only where there are findings, edges or new tasks
  std::vector<StackRecord> stacks;    // that findings refer to
  RunCoverage coverage;
  std::uint64_t detection_dropped = 0;  // what detectors had no memory for
};

// All of a run that a failure folder needs; copied out of the control block right after the run.
struct RunCapture {
  std::vector<Decision> decisions;
  std::vector<ModuleRecord> modules;
  std::vector<ThreadRecord> threads;
  std::vector<HeapRecord> heap;
  std::vector<AllocationCalls> allocation_calls;  // that `heap` refers to
  std::vector<Event> trace;                       // oldest first
  std::uint64_t trace_count = 0;                  // more than there are: the oldest were lost
  CallTree calls;                                 // with kPlanStacks
  KeptOutput out;
  KeptOutput err;
};

}  // namespace heddle::campaign
