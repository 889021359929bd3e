// A way in which the program failed: one per signature.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/run_record.h"

namespace heddle::campaign {

// Stored by name: append only.
enum class FailureKind : std::uint8_t {
  none,
  crash,
  exit,
  deadlock,
  livelock,
  timeout,
  finding,
  output
};
std::string_view failure_name(FailureKind kind);

// One part of what is known about a finding.
struct Evidence {
  std::string what;                 // "write by thread 2 (worker)"
  std::vector<std::string> frames;  // "function file:line", innermost first
  std::vector<std::string> locks;   // held there
  std::size_t first_own = 0;        // the first frame that is not a system header's
};

// What was wrong with one run.
struct Judgement {
  FailureKind kind = FailureKind::none;
  std::string message;             // one line, for people
  std::string signature;           // the same for every run that fails in this way
  std::string finding;             // kind of a finding, by name; else empty
  std::string detector;            // that reported it
  std::vector<Evidence> evidence;  // of a finding

  bool failed() const { return kind != FailureKind::none; }
};

// The run as it was found, where a smaller schedule has taken its place. Without trace and output.
struct OriginalRun {
  RunRecord record;
  RunCapture capture;
};

// Stored by name: append only.
enum class BugClass : std::uint8_t {
  unknown,
  data_race,
  atomicity,
  order_violation,
  deadlock,
  lost_wakeup,
  livelock,
  sleep_as_synchronisation,
  teardown
};

// One of the two events whose order decides.
struct DecisiveEvent {
  std::optional<std::size_t> number;  // in the trace; an operation that never came to pass has none
  ThreadId thread{};
  std::string function;
  std::string place;  // "function file:line"
  std::string thread_name;
  std::string object;  // empty: not known
  EventKind kind{};
  std::vector<std::string> stack;  // places of the calls that led there, innermost first
};

struct Explanation {
  BugClass bug = BugClass::unknown;
  std::string detail;  // of the class; empty: none
  std::string sentence;
  std::vector<DecisiveEvent> decisive;  // none or two, in the order in which it fails
  // How often each order failed; runs 0: not measured.
  unsigned this_failed = 0;
  unsigned this_runs = 0;
  unsigned other_failed = 0;
  unsigned other_runs = 0;
  bool cut_short = false;  // the time ran out before another order was found and measured
};

struct Failure {
  std::string id;  // names its folder
  Judgement judgement;
  std::string strategy;  // that found it, as text
  std::uint64_t first_run = 0;
  std::uint64_t last_run = 0;
  std::uint64_t count = 0;
  RunRecord record;  // of the first run, or of the minimal one
  RunCapture capture;
  std::optional<OriginalRun> original;  // set once it was minimised
  std::optional<Explanation> explanation;
  std::string reproduced;     // "10/10", "7/10, because …", or why it cannot be replayed
  unsigned replays = 0;       // made
  unsigned replays_same = 0;  // of them, failed in the same way
  std::string directory;      // absolute
  // A run past its time limit that no replay made again: the machine may have stalled, and nothing says it was the program.
  bool stray() const;
  bool from_store = false;  // found by an earlier process: only what the store keeps is here
  std::string stored;       // its JSON then
  bool unfinished =
      false;  // the tool was interrupted before it was replayed, made smaller and explained
};

// The same in every campaign of a program of that name.
std::string failure_id(const Judgement& judgement, std::string_view executable);

}  // namespace heddle::campaign
