// Everything that defines one run, apart from the program itself. Plain data, lives in the control block.
#pragma once

#include <cstdint>

#include "contract/noise_settings.h"

namespace heddle {

enum class EngineKind : std::uint8_t { inactive = 0, free = 1, controlled = 2 };

// What is an event at all (and, in the controlled engine, a scheduling point).
enum class Level : std::uint8_t { sync = 0, atomics = 1, memory = 2 };

enum PlanFlags : std::uint32_t {
  kPlanRecordTrace = 1u << 0,    // fill the trace area with events
  kPlanStacks = 1u << 1,         // calls, and accesses that are no points, go to the trace too
  kPlanSpurious = 1u << 2,       // condition waits may wake spuriously
  kPlanNoWatchdog = 1u << 3,     // a debugger is attached
  kPlanAllPoints = 1u << 4,      // every access is a scheduling point: no classification
  kPlanStalls = 1u << 5,         // sleepers and timed waiters may be woken while others could run
  kPlanRecordWidths = 1u << 6,   // fill the widths area, by step (dfs)
  kPlanStopAtFailure = 1u << 7,  // raise SIGTRAP on a verdict (gdb replay)
  // A replay: where no decision is stored the default holds, to the end of the run. Without it the strategy goes on
  // after the last decision (a prefix).
  kPlanFollow = 1u << 8,
  kPlanReleasePoints = 1u << 10,  // points before unlocks too: an earlier run's outcome wanted them
  kPlanShortIdle = 1u << 12,      // a livelock is called one soon: it is known to be one
  kPlanWakeBlocked = 1u << 13,    // once nothing can run, condition and futex waits end, once
  kPlanOutputPoints = 1u << 14,   // lines to standard output and error are points: output is judged
  kPlanPinnedIds = 1u << 15,      // the program is told the same numbers of itself in every run
  kPlanVirtualTicks = 1u << 16,   // the time stamp counter is on virtual time
  kPlanFreeAfterDrift = 1u << 9,  // once a decision cannot be followed, the strategy decides
  kPlanRecordPoints =
      1u << 11,  // store what every point decided, the default too: a list of the points
};

inline constexpr std::uint64_t kUnlimited = ~std::uint64_t{0};

// 2025-01-01 00:00:00 UTC: where virtual time begins, the same in every campaign.
inline constexpr std::uint64_t kVirtualStart = 1'735'689'600ULL * 1'000'000'000ULL;

struct StrategySettings {
  char name[24];                 // schedule/catalog.h; a contract on disk
  std::int64_t arguments[4];     // pct:3 gives {3}
  std::uint64_t expected_steps;  // scheduling points of earlier runs (median so far); 0: unknown
  std::uint32_t expected_threads;
  std::uint32_t profile_count;  // entries used in the control block's profile area
  std::uint32_t access_count;   // entries used in the control block's known_accesses area
  std::uint32_t reserved;
};

struct RunPlan {
  std::uint64_t run;   // 1-based
  std::uint64_t seed;  // of this run
  EngineKind engine;
  Level level;
  std::uint16_t cpu;    // controlled: pin to this CPU; 0xffff: do not pin
  std::uint32_t flags;  // PlanFlags
  StrategySettings strategy;
  NoiseSettings noise;
  std::uint64_t lesson_count;     // what earlier runs taught noise: the control block has them
  std::uint64_t step_limit;       // scheduling points; kUnlimited: none
  std::uint64_t max_stall_ns;     // kUnlimited: any
  std::uint64_t start_time_ns;    // virtual clock at the beginning, since the epoch
  std::uint64_t replay_count;     // decisions to follow from the control block's replay area
  std::uint64_t replay_prefix;    // follow only so many of them, then run free; kUnlimited: all
  std::uint64_t point_count;      // learned racing objects in the control block's point area
  std::uint32_t detectors;        // a bit per row of detect/catalog.h
  std::uint32_t fail_on;          // a bit per FindingKind: findings that make the run a failure
  std::uint64_t detector_memory;  // most bytes that detectors may use in the program
  std::uint32_t metrics;          // a bit per row of coverage/catalog.h
  std::uint32_t metrics_reserved;
  char stdin_path[512];
  char stdout_path[512];
  char stderr_path[512];
  char temporary_directory[512];
};

}  // namespace heddle
