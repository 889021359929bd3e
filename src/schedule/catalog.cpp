#include "schedule/catalog.h"

#include "schedule/aim.h"
#include "schedule/confirm.h"
#include "schedule/dfs.h"
#include "schedule/hold.h"
#include "schedule/noise.h"
#include "schedule/pct.h"
#include "schedule/pos.h"
#include "schedule/random.h"
#include "schedule/replay.h"
#include "schedule/round_robin.h"
#include "schedule/starve.h"
#include "schedule/surw.h"

namespace heddle {
namespace {

// One object of each, in static storage: a run uses at most two (a strategy, and replay over it).
template <class T>
struct Only {
  static constinit T object;
  static Strategy& instance() { return object; }
};
template <class T>
constinit T Only<T>::object{};

constexpr StrategyRow kRows[] = {
    {"random", "random walk; with the given chance the running thread keeps running",
     "stickiness in percent", 50, 0, 99, &Only<Random>::instance},
    {"round-robin", "each thread in turn for a quantum of scheduling points", "quantum", 1, 1,
     1'000'000, &Only<RoundRobin>::instance},
    {"pct", "random priorities with d-1 change points (Burckhardt et al., ASPLOS 2010)", "depth d",
     3, 1, Pct::kMaxDepth, &Only<Pct>::instance},
    {"pos",
     "random scores; operations that race with what ran draw again (Yuan, Yang, Gu, CAV 2018)", "",
     0, 0, 0, &Only<Pos>::instance},
    {"surw", "uniform over the interleavings of a few objects (Zhao et al., ASPLOS 2025)",
     "1: weigh roles too, not only threads", 0, 0, 1, &Only<Surw>::instance, LearnsFrom::accesses},
    {"hold", "threads wait at one contended site while all others run (after Sen, PLDI 2008)",
     "which site, 0 for any", 0, 0, 1'000'000'000, &Only<Hold>::instance, LearnsFrom::accesses},
    {"confirm",
     "steers threads into what detectors predicted, as --confirm does (Joshi et al., PLDI 2009)",
     "", 0, 0, 0, &Only<Confirm>::instance},
    {"aim", "makes a pair of places that was never covered happen, as portfolio and reads-from do",
     "", 0, 0, 0, &Only<Aim>::instance},
    {"reads-from",
     "portfolio; half of the runs begin like one that gave new reads-from pairs (Wolff et al., "
     "ASPLOS 2024)",
     "", 0, 0, 0, nullptr, LearnsFrom::accesses},
    {"starve", "one thread gets no turn for long, or only one gets any",
     "stretch in points, 0 for any", 0, 0, 1'000'000'000, &Only<Starve>::instance},
    {"noise", "the running thread goes on unless the noise heuristic disturbs it", "", 0, 0, 0,
     &Only<Noise>::instance},
    {"dfs", "systematic, by the number of preemptions (Musuvathi, Qadeer, PLDI 2007)",
     "most preemptions", 2, 0, 1000, &Only<Dfs>::instance},
    {"replay", "follows recorded decisions, the default between them", "", 0, 0, 0,
     &Only<Replay>::instance},
    {"portfolio",
     "rotates the others and gives more runs to what still finds new behaviour (default)", "", 0, 0,
     0, nullptr, LearnsFrom::accesses},
};

}  // namespace

std::span<const StrategyRow> strategy_catalog() { return kRows; }

const StrategyRow* find_strategy(std::string_view name) {
  for (const StrategyRow& row : kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

}  // namespace heddle
