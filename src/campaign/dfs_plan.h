// `dfs:P`: which prefix of choices the next run follows, so that every schedule with at most P preemptions is run exactly
// once, those with fewer preemptions first (iterative context bounding: Musuvathi, Qadeer, PLDI 2007).
//
// A schedule is named by the points where it departs from the default and by how (schedule/dfs.h). A run of a prefix shows
// all points after it; each other choice at each of them is a new prefix. So each prefix has one parent, and no state
// is kept of what has been run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "campaign/state_bytes.h"
#include "contract/decision.h"

namespace heddle::campaign {

class DfsPlan {
 public:
  struct Prefix {
    std::vector<Decision> choices;  // for StrategyContext::replay
    std::uint32_t preemptions;
  };

  explicit DfsPlan(std::uint32_t most_preemptions);

  // The next prefix to run, or nothing: exhausted, unless runs handed out are still to be reported.
  std::optional<Prefix> next();

  // What a run of `prefix` showed: the control block's widths, by step. Call in the order of next().
  void ran(const Prefix& prefix, std::span<const std::uint8_t> widths);

  // True if nothing within the bound was left out for want of memory.
  bool complete() const { return dropped_ == 0; }
  // Something beyond the bound exists: a larger P would run more.
  bool bounded() const { return bounded_; }
  std::size_t waiting() const;

  // Between rounds. False: there is too much of it to be kept every time.
  bool save(StateWriter& to) const;
  void restore(StateReader& from);

 private:
  std::vector<std::deque<Prefix>> queues_;  // by preemptions
  std::size_t stored_ = 0;                  // choices in all waiting prefixes
  std::uint64_t dropped_ = 0;
  bool bounded_ = false;
};

}  // namespace heddle::campaign
