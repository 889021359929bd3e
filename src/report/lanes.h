// An interleaving in lanes: one column per thread, time goes down. Knows columns, not programs.
//
//   main            T1 increase         T2 increase
//   creates T1      │                   │
//   │               reads counter: 0    │
//   │               switch (preempted)
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::reports {

enum class StepStyle : std::uint8_t { event, decisive, change, note };  // change: a switch

struct LaneStep {
  std::size_t lane = 0;
  std::string text;
  std::string where;  // "counter.c:13": put at the end if there is room
  StepStyle style = StepStyle::event;
  std::uint64_t key = 0;    // equal for equal steps of a loop; 0: never folded
  std::uint64_t times = 1;  // after folding: so often in a row
  std::size_t length = 1;   // of the loop that is repeated, in steps, this one last
};

struct Story {
  std::vector<std::string> lanes;  // headings, by lane
  std::vector<LaneStep> steps;
};

// Folds what one lane does again and again (up to 8 steps long, three times or more) into one round and a note of how
// often it came.
void fold_loops(Story& story);

// Keeps so many steps: the end, where it fails, and what a decisive step or a switch needs; the rest becomes notes.
void shorten(Story& story, std::size_t most_steps);

struct LaneLayout {
  std::size_t columns = 100;
};
std::vector<std::string> lane_lines(const Story& story, const LaneLayout& layout);

}  // namespace heddle::reports
