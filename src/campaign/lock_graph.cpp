#include "campaign/lock_graph.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/hash.h"
#include "detect/catalog.h"

namespace heddle::campaign {

namespace {

std::uint64_t path_of(const RunRecord& record, ThreadId thread) {
  return thread.value < record.threads.size() ? record.threads[thread.value].path_hash : 0;
}

// 0: it cannot be known again in another run.
std::uint64_t lasting(ObjectId object, std::uint32_t life, const RunRecord& record) {
  switch (object_kind(object)) {
    case ObjectKind::global:
    case ObjectKind::heap:
      return combine(object.value, life) | 1;
    case ObjectKind::stack: {
      // Threads are numbered as they come: another run may number them otherwise.
      const ThreadId owner{static_cast<std::uint16_t>(object.value >> 44)};
      const std::uint64_t path = path_of(record, owner);
      if (path == 0 && owner.value != 0) return 0;
      return combine(combine(path, object.value & 0xfff'ffff'ffffULL), life) | 1;
    }
    default:
      return 0;
  }
}

// Who knew how much of whom when each edge came: the creation events of a run are gone through once.
class Replay {
 public:
  explicit Replay(const RunRecord& record) : record_(record), threads_(record.threads.size()) {
    for (std::size_t i = 0; i < threads_.size(); ++i) threads_[i][path(i)] = 1;
  }

  void advance_to(std::size_t creations) {
    for (; next_ < std::min(creations, record_.creations.size()); ++next_) {
      const CreationEvent& event = record_.creations[next_];
      const std::size_t self = event.thread.value;
      const std::size_t other = event.other.value;
      if (self >= threads_.size()) continue;
      if (event.kind == EventKind::thread_create && other < threads_.size()) {
        learn(other, self);
        ++threads_[self][path(self)];
      } else if (event.kind == EventKind::thread_join && other < threads_.size()) {
        learn(self, other);
      } else if (event.kind == EventKind::thread_exit) {
        ++threads_[self][path(self)];
      }
    }
  }

  CreationKnowledge known(ThreadId thread) const {
    if (thread.value >= threads_.size()) return {};
    CreationKnowledge known;
    for (const auto& [path, tick] : threads_[thread.value]) known.push_back({path, tick});
    return known;
  }

 private:
  std::uint64_t path(std::size_t thread) const { return record_.threads[thread].path_hash; }
  void learn(std::size_t to, std::size_t from) {
    for (const auto& [who, tick] : threads_[from]) {
      std::uint64_t& mine = threads_[to][who];
      mine = std::max(mine, tick);
    }
  }

  const RunRecord& record_;
  std::vector<std::map<std::uint64_t, std::uint64_t>> threads_;
  std::size_t next_ = 0;
};

std::uint64_t tick_of(const CreationKnowledge& known, std::uint64_t path) {
  const auto at = std::ranges::lower_bound(known, path, {}, &KnownThread::path);
  return at != known.end() && at->path == path ? at->tick : 0;
}

std::uint64_t key_of(const OrderEdge& edge, const CreationKnowledge& known) {
  std::uint64_t key = combine(edge.from, edge.to);
  for (const std::uint64_t part :
       {edge.edge.site.value, edge.edge.from_site.value, edge.thread, edge.tick,
        std::uint64_t{edge.edge.flags}, std::uint64_t{edge.edge.shared_gates}}) {
    key = combine(key, part);
  }
  for (std::size_t i = 0; i < edge.edge.gate_count; ++i) key = combine(key, edge.gates[i]);
  for (const auto& [who, tick] : known) key = combine(combine(key, who), tick);
  return key;
}

// Who reads lets other readers in.
bool keeps_out(const OrderEdge& one, std::size_t gate, std::uint64_t lock, bool shared) {
  return one.gates[gate] == lock && !(shared && (one.edge.shared_gates >> gate & 1) != 0);
}

bool held_shared(const OrderEdge& edge) { return (edge.edge.flags & kEdgeHeldShared) != 0; }
bool wants_shared(const OrderEdge& edge) { return (edge.edge.flags & kEdgeWantsShared) != 0; }

bool is_signal(const OrderEdge& edge) {
  return edge.edge.kind == EventKind::cond_signal || edge.edge.kind == EventKind::cond_broadcast;
}
// The lock that this signal was under, as its gates are known. 0: there were too many.
std::uint64_t lock_of_signal(const OrderEdge& signal) {
  const std::span gates(signal.edge.gates, signal.edge.gate_count);
  const auto at = std::ranges::find(gates, signal.edge.to);
  return at == gates.end() ? 0 : signal.gates[at - gates.begin()];
}
// Of locks that keep others out.
std::size_t gate_count(const OrderEdge& edge) { return is_signal(edge) ? 0 : edge.edge.gate_count; }

StackRecord stack_of(const OrderEdge& edge) {
  StackRecord stack{};
  stack.frames[stack.frame_count++] = edge.edge.site;
  for (const SiteId call : edge.edge.calls) {
    if (call.value != 0) stack.frames[stack.frame_count++] = call;
  }
  if (is_signal(edge)) return stack;  // its condition is held by nobody
  stack.lock_count = 1;
  stack.locks[0] = edge.edge.from;
  stack.lock_sites[0] = edge.edge.from_site;
  return stack;
}

}  // namespace

bool LockGraph::compatible(const Edge& a, const Edge& b) const {
  const OrderEdge& one = a.what;
  const OrderEdge& two = b.what;
  if (one.thread == two.thread || one.held == two.held) return false;
  if (tick_of(*b.known, one.thread) >= one.tick) return false;
  if (tick_of(*a.known, two.thread) >= two.tick) return false;
  for (std::size_t i = 0; i < gate_count(one); ++i) {
    if (keeps_out(one, i, two.held, held_shared(two))) return false;
    for (std::size_t j = 0; j < gate_count(two); ++j) {
      if (keeps_out(one, i, two.gates[j], (two.edge.shared_gates >> j & 1) != 0)) return false;
    }
  }
  for (std::size_t j = 0; j < gate_count(two); ++j) {
    if (keeps_out(two, j, one.held, held_shared(one))) return false;
  }
  return true;
}

bool LockGraph::signals_are_needed(const Path& path) const {
  for (std::size_t i = 0; i < path.size(); ++i) {
    const OrderEdge& signal = path[i]->what;
    if (!is_signal(signal)) continue;
    const std::uint64_t lock = lock_of_signal(signal);
    const std::uint64_t waiter = path[i == 0 ? path.size() - 1 : i - 1]->what.thread;
    const auto comes_without = [&](const Edge* other) {
      const std::span gates(other->what.gates, other->what.edge.gate_count);
      return is_signal(other->what) && other->what.thread != waiter &&
             std::ranges::find(gates, lock) == gates.end();
    };
    if (lock == 0 || std::ranges::any_of(by_from_.at(signal.from), comes_without)) return false;
  }
  return true;
}

void LockGraph::add(Edge edge) {
  if (!keys_.insert(edge.key).second) return;
  if (edges_.size() >= kMostEdges) {
    ++dropped_;
    return;
  }
  edges_.push_back(std::make_unique<const Edge>(edge));
  by_from_[edges_.back()->what.from].push_back(edges_.back().get());
}

std::vector<LockGraph::Circle> LockGraph::merge(const RunRecord& record) {
  if (record.lock_edges.empty()) return {};
  Replay replay(record);
  for (const LockEdge& told : record.lock_edges) {
    replay.advance_to(told.creations);
    OrderEdge what{};
    what.edge = told;
    what.edge.creations = 0;  // of that run only
    what.thread = path_of(record, told.thread);
    what.from = lasting(told.from, told.from_life, record);
    what.to = lasting(told.to, told.to_life, record);
    if (what.from == 0 || what.to == 0 || told.thread.value >= record.threads.size()) continue;
    what.held = lasting(told.from, 0, record);
    for (std::size_t i = 0; i < told.gate_count; ++i)
      what.gates[i] = lasting(told.gates[i], 0, record);
    const ThreadRecord& thread = record.threads[told.thread.value];
    what.start_routine = thread.start_routine;
    what.create_site = thread.create_site;
    std::memcpy(what.thread_name, thread.name, sizeof what.thread_name);
    what.run = record.input.plan.run;
    CreationKnowledge known = replay.known(told.thread);
    what.tick = tick_of(known, what.thread);
    const std::uint64_t key = key_of(what, known);
    if (keys_.contains(key)) continue;
    // Many edges share what their threads know.
    const auto kept = knowledge_.insert(std::move(known)).first;
    add({what, &*kept, key, false});
  }
  return search_new(record);
}

std::vector<LockGraph::Circle> LockGraph::search_new(const RunRecord& record) {
  std::vector<Circle> found;
  std::uint32_t visits_of_run = 0;
  for (; searched_ < edges_.size(); ++searched_) {
    Path path{edges_[searched_].get()};
    std::uint32_t visits = 0;
    if (visits_of_run < kMostOfRun) search(path, visits, record, found);
    visits_of_run += visits;
    if (visits >= kMostVisits || visits_of_run >= kMostOfRun) ++dropped_;
  }
  return found;
}

void LockGraph::search(Path& path, std::uint32_t& visits, const RunRecord& record,
                       std::vector<Circle>& found) {
  const OrderEdge last = path.back()->what;
  const auto at = by_from_.find(last.to);
  if (at == by_from_.end()) return;
  for (const Edge* const next : at->second) {
    if (++visits >= kMostVisits) return;
    if (wants_shared(last) && held_shared(next->what)) continue;  // two readers do not wait
    if (!std::ranges::all_of(path, [&](const Edge* one) { return compatible(*one, *next); })) {
      continue;
    }
    path.push_back(next);
    if (next->what.to == path.front()->what.from) {
      const bool in_one_run = std::ranges::all_of(path, [&](const Edge* one) {
        return !one->earlier_campaign && one->what.run == path.front()->what.run;
      });
      const bool readers = wants_shared(next->what) && held_shared(path.front()->what);
      if (!in_one_run && !readers && signals_are_needed(path) &&
          told_circles_.insert(places_of(path)).second) {
        found.push_back(circle_of(path, record));
      }
    } else if (path.size() < kLongest) {
      search(path, visits, record, found);
    }
    path.pop_back();
  }
}

// Many threads may do the same: one circle for the same places.
std::array<std::uint64_t, 3> LockGraph::places_of(const Path& path) {
  std::array<std::uint64_t, 3> places = {path[0]->what.edge.site.value,
                                         path[1]->what.edge.site.value,
                                         path.size() > 2 ? path[2]->what.edge.site.value : 0};
  std::ranges::sort(places);
  return places;
}

LockGraph::Circle LockGraph::circle_of(const Path& path, const RunRecord& record) {
  Circle circle;
  circle.evidence.modules = record.modules;
  circle.evidence.input.plan.run = record.input.plan.run;
  const OrderEdge& first = path[1]->what;
  const OrderEdge& second = path[0]->what;  // the newest
  Finding& finding = circle.finding;
  finding = {};
  finding.kind = FindingKind::lock_order;
  finding.detector =
      static_cast<std::uint8_t>(find_detector("goodlock") - detector_catalog().data());
  finding.first_kind = first.edge.kind;
  finding.second_kind = second.edge.kind;
  finding.first_thread = first.edge.thread;
  finding.second_thread = second.edge.thread;
  finding.object = second.edge.to;
  finding.first_site = first.edge.site;
  finding.second_site = second.edge.site;
  if (path.size() > 2) finding.begun_site = path[2]->what.edge.site;
  finding.detail = path.size();
  const std::size_t highest = std::max(first.edge.thread.value, second.edge.thread.value);
  // Another run may have given the other thread the same number.
  if (first.edge.thread == second.edge.thread) {
    finding.first_thread = ThreadId{static_cast<std::uint16_t>(highest + 1)};
  }
  circle.evidence.threads.resize(highest + 2);
  for (const auto& [edge, thread] :
       {std::pair(&first, finding.first_thread), std::pair(&second, finding.second_thread)}) {
    ThreadRecord& known = circle.evidence.threads[thread.value];
    known.start_routine = edge->start_routine;
    known.create_site = edge->create_site;
    std::memcpy(known.name, edge->thread_name, sizeof known.name);
    circle.evidence.stacks.push_back(stack_of(*edge));
  }
  finding.first_stack = 1;
  finding.second_stack = 2;
  std::set<std::uint64_t> runs;
  for (const Edge* const edge : path) runs.insert(edge->earlier_campaign ? 0 : edge->what.run);
  circle.runs.assign(runs.begin(), runs.end());
  return circle;
}

void LockGraph::load(const Row& row, bool of_this_campaign) {
  const auto kept = knowledge_.insert(row.known).first;

  add({row.edge, &*kept, row.key, !of_this_campaign});
  told_ = edges_.size();
}

std::vector<LockGraph::Row> LockGraph::take_new() {
  std::vector<Row> rows;
  for (; told_ < edges_.size(); ++told_) {
    const Edge& edge = *edges_[told_];
    rows.push_back({edge.key, edge.what, *edge.known});
  }
  return rows;
}

}  // namespace heddle::campaign
