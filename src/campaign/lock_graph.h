// The lock orders of many runs as one graph: predicts a circle whose parts never occurred in one run.
//
// In a run, goodlock decides (detect/goodlock.h). Here edges are known by what survives runs: objects by what they are and
// how often their memory was a lock before, threads by their path, places by module and offset. The filters are the
// same: another thread for every edge, no common lock held (a gate) unless both read it, no two readers, no order by creation
// and joining. The last is known of a thread and the number of threads it had created: what an edge's thread knew of others then, in
// its own run. A circle through a condition counts while no run has shown a signal that came without the circle's lock. Whether two edges can occur in one run at all nobody can know from runs in which they did not: such a circle
// is predicted, and --confirm tries it.
//
// Merged by run number, so that it never depends on --jobs.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "campaign/run_record.h"
#include "contract/lock_edge.h"

namespace heddle::campaign {

// What an edge's thread knew of others by creation and joining, ascending by path.
struct KnownThread {
  std::uint64_t path;
  std::uint64_t tick;
  auto operator<=>(const KnownThread&) const = default;
};
using CreationKnowledge = std::vector<KnownThread>;

// An edge as the store keeps it (docs/formats/campaign.md): plain, so that it is written as it lies.
struct OrderEdge {
  LockEdge edge;         // as its run told it
  std::uint64_t thread;  // path
  std::uint64_t tick;    // how many threads it had created, and 1
  std::uint64_t from;    // the two locks by what survives a run
  std::uint64_t to;
  std::uint64_t held;  // `from` without how often its memory was a lock before, as the gates are
  std::uint64_t gates[kEdgeGates];
  SiteId start_routine;
  SiteId create_site;  // of the thread
  char thread_name[16];
  std::uint64_t run;  // that showed it first
};

class LockGraph {
 public:
  // In a circle that is over several runs, each edge has the first run that showed it; 0: an earlier campaign's.
  struct Circle {
    Finding finding;
    RunRecord evidence;               // modules, threads and stacks that the finding refers to
    std::vector<std::uint64_t> runs;  // ascending
  };

  struct Row {
    std::uint64_t key;
    OrderEdge edge;
    CreationKnowledge known;
  };

  // For each run in ascending order. The circles that this run closes and that no run shows alone.
  std::vector<Circle> merge(const RunRecord& record);
  // What other campaigns saw.
  void load(const Row& row, bool of_this_campaign);
  // Added since the last call.
  std::vector<Row> take_new();

  bool empty() const { return edges_.empty(); }
  // Edges that found no room, or whose circles were not all looked at.
  std::uint64_t dropped() const { return dropped_; }

 private:
  static constexpr std::size_t kMostEdges = 100'000;
  static constexpr std::size_t kLongest = 5;              // locks in a circle, as in a run
  static constexpr std::uint32_t kMostVisits = 5'000;     // edges looked at for one new edge
  static constexpr std::uint32_t kMostOfRun = 2'000'000;  // and for all of a run

  struct Edge {
    OrderEdge what;
    const CreationKnowledge* known;  // in knowledge_
    std::uint64_t key;
    bool earlier_campaign;
  };
  using Path = std::vector<const Edge*>;

  void add(Edge edge);
  std::vector<Circle> search_new(const RunRecord& record);
  bool compatible(const Edge& a, const Edge& b) const;
  // Of conditions in the circle, none has been signalled without the lock that the circle's own signal was under.
  bool signals_are_needed(const Path& path) const;
  void search(Path& path, std::uint32_t& visits, const RunRecord& record,
              std::vector<Circle>& found);
  static std::array<std::uint64_t, 3> places_of(const Path& path);
  static Circle circle_of(const Path& path, const RunRecord& record);

  std::vector<std::unique_ptr<const Edge>> edges_;  // in the order found
  std::map<std::uint64_t, std::vector<const Edge*>> by_from_;
  std::set<std::uint64_t> keys_;
  std::set<CreationKnowledge> knowledge_;
  std::set<std::array<std::uint64_t, 3>> told_circles_;  // by their places
  std::size_t told_ = 0;                                 // edges that take_new() gave away
  std::size_t searched_ = 0;                             // edges whose circles were looked for
  std::uint64_t dropped_ = 0;
};

}  // namespace heddle::campaign
