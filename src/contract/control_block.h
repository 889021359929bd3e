// The one boundary between the tool and the runtime inside the program: a shared mapping and two pipes.
//
// The tool creates a memory file, writes a RunPlan into it and starts the program with kControlVariable set to
// "<memory fd>:<command fd>:<status fd>:<mode>". The runtime maps the file, moves the pipes out of the program's way,
// clears the variable and, in fork-server mode, waits before main for commands:
//
//   command (tool -> runtime)          status (runtime -> tool)
//                                      Hello, once
//   kCommandRun (one byte)             ServerReply{ended, wait status}, once the run's process has ended; run_process
//                                      in the control block says which that is
//   end of file                        (the server exits)
//
// The process of each run leads its own process group, so the tool can end all of it by id.
// In one-shot mode (mode 1) there is no server: Hello is written and main runs at once.
// Anything in this file that changes means a new kControlVersion.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/decision.h"
#include "contract/feature.h"
#include "contract/finding.h"
#include "contract/ids.h"
#include "contract/lock_edge.h"
#include "contract/noise_lesson.h"
#include "contract/run_outcome.h"
#include "contract/run_plan.h"

namespace heddle {

inline constexpr std::uint32_t kControlMagic = 0x48444c31;  // "HDL1"
inline constexpr std::uint32_t kControlVersion = 16;
inline constexpr const char* kControlVariable = "HEDDLE_CONTROL";
// Where somebody in between (gdb) would not hand on arguments as they are: a file with them, a zero byte behind each.
inline constexpr const char* kArgumentsVariable = "HEDDLE_ARGUMENTS";

enum class ServerMode : std::uint8_t { fork_server = 0, one_shot = 1 };

inline constexpr char kCommandRun = 'R';

struct Hello {
  std::uint32_t magic;
  std::uint32_t version;
  std::int32_t pid;
  std::uint32_t
      threads_before_main;  // > 0: a fork server would be unsafe, the tool falls back to one-shot
  std::uint32_t aslr_off;
};

struct ServerReply {
  enum class Kind : std::uint32_t { ended = 2, fork_failed = 3 };
  Kind kind;
  std::int32_t value;     // wait status or errno
  std::uint32_t orphans;  // processes of the run that had to be ended
};

// A loaded module, so that a SiteId can be shown. Filled by the runtime.
struct ModuleRecord {
  std::uint64_t base;  // load address in this run (for debuggers; never stored)
  std::uint64_t size;
  std::uint8_t build_id[20];
  std::uint16_t build_id_size;
  // Of the program: how far main()'s frame (its CFA) lies below the top of the main thread's stack. 0: not known.
  std::uint16_t main_frame;
  char path[256];
};
inline constexpr unsigned kMaxModules = 256;

struct ThreadRecord {
  ThreadId parent;
  std::uint16_t child_number;  // n-th thread created by that parent, from 0
  std::uint32_t reserved;
  std::uint64_t path_hash;  // hash over (parent's path, n): stable over runs
  SiteId create_site;
  SiteId start_routine;
  std::uint64_t points;  // scheduling points of this thread in this run (a profile for surw)
  char name[16];
};
inline constexpr unsigned kMaxThreads = 1024;

// Events expected from a thread, from earlier runs. Index: position in the profile area.
struct ThreadProfile {
  std::uint64_t path_hash;
  std::uint64_t points;            // of this thread alone
  std::uint64_t points_subtree;    // with all its descendants
  std::uint64_t parent_path_hash;  // 0: main, or not known
};

// Operations at scheduling points, counted by (thread, site, object): what surw and hold choose from. Written by
// schedule/access_recorder.h in first-seen order; the tool merges runs, adds the numbers and hands the table to later runs.
struct AccessProfile {
  SiteId site;
  ObjectId object;
  std::uint64_t path_hash;  // of the thread
  std::uint32_t count;
  EventKind kind;
  std::uint8_t reserved;
  std::uint16_t thread_number;  // position in the profile area plus one; 0: not there
  std::uint16_t
      site_number;  // among sites of contended objects, from 1; 0: nothing to gain from waiting here
  std::uint16_t
      object_number;  // among contended objects (two threads, not only reads), from 1; 0: not one
  std::uint32_t reserved2;
};
static_assert(sizeof(AccessProfile) == 40);
inline constexpr std::size_t kAccessCapacity = std::size_t{1} << 13;

// An entry of the widths area: how many candidates a point had (at most kWidthMask), and what a switch there means.
inline constexpr std::uint8_t kWidthMask = 0x3f;
inline constexpr std::uint8_t kWidthYields = 0x40;  // SchedulePoint::current_yields
inline constexpr std::uint8_t kWidthBlocked =
    0x80;  // not current_can_run: switching is no preemption

inline constexpr std::size_t kDecisionCapacity = std::size_t{1} << 20;  // 40 MB of sparse file each
inline constexpr std::size_t kPointCapacity = std::size_t{1} << 16;
inline constexpr std::size_t kWidthCapacity = std::size_t{1} << 20;
inline constexpr std::size_t kTraceCapacity = std::size_t{1}
                                              << 20;  // events; the last ones are kept
inline constexpr std::size_t kHeapRecordCapacity = std::size_t{1} << 16;
inline constexpr std::size_t kFindingCapacity = 512;
inline constexpr std::size_t kLessonCapacity = std::size_t{1} << 13;

// A heap block that a stored ObjectId refers to, so that it can be shown by its allocation.
struct HeapRecord {
  std::uint64_t block_hash;
  std::uint64_t size;
  SiteId site;
  ThreadId thread;
  std::uint16_t calls;   // place in the allocation calls, plus one; 0: not known
  std::uint32_t number;  // n-th allocation by that thread at that site
};

// The calls that led to an allocation, so that a block of a container can be shown by the program's own line. Kept once,
// while somebody keeps call stacks.
inline constexpr std::size_t kAllocationCallsCapacity = 4096;

// A call stack that a finding refers to, and the locks held there (the innermost ones, latest first).
inline constexpr std::size_t kStackFrames = 20;
inline constexpr std::size_t kStackLocks = 4;
inline constexpr std::size_t kStackCapacity = 2048;
struct StackRecord {
  std::uint32_t frame_count;
  std::uint16_t lock_count;
  std::uint16_t shared_locks;   // a bit for each that is held to read
  SiteId frames[kStackFrames];  // innermost first: the place itself, then the calls that led there
  ObjectId locks[kStackLocks];
  SiteId lock_sites[kStackLocks];  // where each was taken
};

// The tool sends this to a thread that has control but makes no progress (control_block.running_tid, progress): blocked in
// a call we do not model, or spinning on memory we do not see. The runtime's handler hands control on. Nobody else uses it.
inline constexpr int kWatchdogSignal = 16;  // SIGSTKFLT
// Its value where the thread works: it keeps control as long as nobody else could go on.
inline constexpr int kWatchdogWorks = 1;

// Control passes to a forked child whose parent only waits for its end (docs/decisions/0023), and may pass on to a child of that one. What
// a parent and its child tell each other meanwhile.
inline constexpr std::uint32_t kPassingUndecided = 1;  // the child waits to hear
inline constexpr std::uint32_t kPassingOffered = 2;  // the parent waits, and has said what follows
inline constexpr std::uint32_t kPassingRefused = 3;  // the child is on its own
inline constexpr std::uint32_t kPassingTaken = 1u << 31;  // and the child's number
struct PassedControl {
  std::uint32_t state;       // a futex word
  std::uint32_t children;    // of the first thread, by the one who gives control,
  std::uint64_t points;      // likewise; 0: it ended without a word
  std::uint32_t has_timers;  // the parent: they may end its wait
  std::uint32_t reserved;
};
inline constexpr unsigned kMostPassings = 4;  // one inside the other

// One mapping; untouched pages cost nothing. What every run touches lies together at the front, and of each area there only the
// beginning: a run maps each page of it anew, and each 2 MB of addresses cost it a page table.
struct ControlBlock {
  // tool
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t size;
  RunPlan plan;
  std::uint64_t wants_accesses;  // 1: fill the accesses area
  // runtime
  RunOutcome outcome;
  std::uint32_t module_count;
  std::uint32_t heap_record_count;
  std::uint64_t access_count;
  std::uint64_t lesson_count;
  std::uint64_t trace_count;  // events written in all; position is count % kTraceCapacity
  // watchdog (runtime -> tool): see kWatchdogSignal
  std::uint64_t progress;     // bumped at every scheduling point
  std::uint32_t running_tid;  // kernel id of the thread that has control; 0: nobody
  std::int32_t run_process;   // of this run; 0: not yet started
  std::uint32_t finding_count;
  std::uint32_t
      orders;  // tool: runs asked for, counted where they follow each other closely; else 0
  // Futex word: 0 until the server has answered. Who waits is woken before that where nothing but the run's memory is left
  // (runtime/leaving.h).
  std::uint32_t ended;
  // watchdog: milliseconds of virtual time, at least, until the program's next timer with a handler goes off; 0: none is set
  std::uint32_t timer_ms;
  std::uint64_t findings_dropped;   // did not fit the area
  std::uint64_t detection_dropped;  // accesses, locks, edges that detectors had no memory for
  std::uint64_t stack_count;        // of findings
  std::uint32_t allocation_calls_count;
  std::uint32_t lock_edge_count;
  std::uint32_t creation_count;
  std::uint32_t lock_edges_dropped;  // did not fit
  PassedControl passed[kMostPassings];
  std::int32_t process_in_control;  // of those to which control has passed; 0: run_process
  std::uint32_t reserved;
  ThreadRecord threads[kMaxThreads];
  ModuleRecord modules[kMaxModules];
  AccessProfile accesses[kAccessCapacity];  // of this run
  // both: learned racing objects go in, newly found ones are appended
  ObjectId points[kPointCapacity];
  CoverageArea coverage;
  Decision decisions[kDecisionCapacity];
  // what not every run touches
  std::uint8_t widths[kWidthCapacity];   // by step, width 1 included; kPlanRecordWidths only
  NoiseLesson lessons[kLessonCapacity];  // of this run
  Event trace[kTraceCapacity];
  HeapRecord heap_records[kHeapRecordCapacity];
  Finding findings[kFindingCapacity];  // one per pair of places
  StackRecord stacks[kStackCapacity];  // of these findings
  AllocationCalls allocation_calls[kAllocationCallsCapacity];
  LockEdge lock_edges[kLockEdgeCapacity];  // each once, in the order in which they came
  CreationEvent creations[kCreationCapacity];
  // tool
  ThreadProfile profile[kMaxThreads];
  AccessProfile known_accesses[kAccessCapacity];
  NoiseLesson known_lessons[kLessonCapacity];
  Decision replay[kDecisionCapacity];
};

}  // namespace heddle
