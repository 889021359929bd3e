// Does a fix hold? The old schedule, its neighbours, then the strategy that found the failure.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/crew.h"
#include "campaign/failure.h"
#include "campaign/minimise_edits.h"
#include "campaign/transfer.h"

namespace heddle::campaign {

struct VerifyRequest {
  RunInput minimal;                   // follows the minimal decisions
  std::vector<DecisionPlace> places;  // of those decisions, to find them again in another build
  RunInput found;                     // as the run that found it was planned, without decisions
  unsigned old_runs = 20;
  std::size_t neighbours = 500;
  std::uint64_t strategy_runs = 100;
  std::optional<std::chrono::steady_clock::time_point> until;
  std::function<void()> tick;
};

struct Tally {
  std::uint64_t runs = 0;
  std::uint64_t failed = 0;
};

struct StillFailing {
  Judgement judgement;
  RunRecord record;
  RunCapture capture;
};

struct Verification {
  Tally old;
  Tally neighbours;
  Tally strategy;
  std::optional<StillFailing> first_failure;
  bool drifted = false;       // the old schedule could not be followed to its end
  std::size_t decisions = 0;  // of the old schedule, on another build
  std::size_t found = 0;      // of them, in this one
  bool cut_short = false;     // the time ran out

  // The old schedule was made again often enough to say something.
  bool tried() const { return old.runs > 0; }
  bool holds() const { return !first_failure && tried() && failed() == 0; }
  std::uint64_t failed() const { return old.failed + neighbours.failed + strategy.failed; }
};

Verification verify(Crew& crew, const VerifyRequest& request);

// Schedules near this one: each decision left out, moved or given to another thread, then two such changes at a time, then
// one more preemption somewhere. Distinct, the same list every time.
std::vector<Decisions> neighbours_of(const Decisions& decisions,
                                     const std::vector<std::uint64_t>& points_by_thread,
                                     std::size_t most);

// "old interleaving passes; 0 of 500 neighbours fail; …": `first_run` is the run in which the failure first came, 0 if unknown.
std::string verification_text(const Verification& verification, std::uint64_t first_run);

}  // namespace heddle::campaign
