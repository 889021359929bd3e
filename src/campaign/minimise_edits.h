// Ways to change a list of decisions, for minimising and for looking at a schedule's neighbours. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/decision.h"

namespace heddle::campaign {

using Decisions = std::vector<Decision>;

Decisions without_range(std::span<const Decision> decisions, std::size_t begin, std::size_t end);
Decisions without_pair(std::span<const Decision> decisions, std::size_t first, std::size_t second);
// Without who is to go on at the point of `there`.
Decisions without_point(std::span<const Decision> decisions, const Decision& there);
Decisions without_stalls(std::span<const Decision> decisions);

// Decision `index` is taken so many points of its thread later (or earlier); false if that cannot be.
bool move_decision(Decisions& decisions, std::size_t index, std::int64_t points);

// Decision `index` hands over to another thread.
Decisions with_target(std::span<const Decision> decisions, std::size_t index, ThreadId to);

// One more departure from the default.
Decisions with_decision(std::span<const Decision> decisions, const Decision& added);

// Of the switches from A to B, from B, or whom B was left for, back to A, and from A to X: A goes on, and the others take
// their turn where A is left next; then X.
struct Interruption {
  Decision away;
  Decision back;
  Decision next;
};
Decisions postponed(std::span<const Decision> decisions, const Interruption& interruption);

// A replay looks at each thread's decisions in the order of that thread's points; of two at one point the first counts.
void put_in_order(Decisions& decisions);

bool is_preemption(const Decision& decision);

}  // namespace heddle::campaign
