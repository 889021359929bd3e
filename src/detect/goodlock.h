// goodlock: locks that threads take in a circle, whether or not they met this time.
//
// After Havelund: Using Runtime Analysis to Guide Model Checking of Java Programs (SPIN 2000) and Bensalem, Havelund:
// Dynamic Deadlock Analysis of Multi-threaded Programs (HVC 2005). An edge says: this thread took lock b while it held a.
// A cycle of edges is reported if every edge is another thread's, no two edges hold a common lock (a gate lock lets
// only one of them in, unless both read), no lock of it is held and asked for shared only, and no two edges are ordered by thread
// creation and joining. A lock that is only tried for, or waited for with a deadline, cannot deadlock and gives no edge.
//
// Every edge goes to the lock order log too: the tool puts those of many runs together, and finds the cycles whose edges
// never occurred in one run.
//
// Condition variables are locks of a kind: waiting for c while holding a is an edge a -> c, and signalling c while
// holding b an edge c -> b, since the wait needs the signal and the signal needs b. That is so unless another signal comes without b;
// so such a circle is told when the run, or the condition, has come to its end and none has. A signal under no lock at all is an
// edge c -> c, which is part of no circle.
#pragma once

#include "analysis/object_table.h"
#include "detect/detector.h"

namespace heddle {

class Goodlock final : public Detector {
 public:
  constexpr Goodlock() = default;

  void begin_run(const DetectorContext& context) override;
  void on(const Event& event) override;
  void end_run() override;
  std::uint64_t dropped() const override;

 private:
  // The other locks held when an edge came about. In the arena, as long as need be: a gate that is not known would make a
  // false circle. Of a signal: the others that it was under, which keep nobody out.
  struct Gates {
    std::uint32_t count;
    const TakenLock* locks;
  };
  static constexpr std::size_t kLongest = 5;            // locks in a cycle
  static constexpr std::uint32_t kMostVisits = 20'000;  // edges looked at for one new edge

  struct Edge {
    Edge* next;
    std::uint64_t from;
    std::uint64_t to;
    std::uint32_t from_life;
    std::uint32_t to_life;
    std::uint32_t tick;
    SiteId from_site;  // where `from` was taken
    SiteId site;
    std::uint64_t step;
    ThreadId thread;
    EventKind kind;
    bool held_shared;
    bool wants_shared;
    Gates gates;
  };
  struct Lock {
    Edge* edges;
    std::uint32_t life;     // grows when the memory becomes another object
    bool waited_with_lock;  // a condition, for which a thread waited while it held a lock
  };
  // A circle through a condition.
  struct Circle {
    Circle* next;
    const Edge* path[kLongest];
    std::size_t length;  // 0: decided
  };

  void take(const Event& event, std::uint64_t lock, bool shared);
  void wait(const Event& event);
  void signal(const Event& event);
  void another_life(Lock& lock);
  void add(const Edge& edge);
  void log(const Edge& edge);
  // The edges from all that the thread holds, but for `given_up`.
  void add_all(Edge edge, std::uint64_t given_up);
  void search(const Edge* path[], std::size_t length, std::uint32_t& visits);
  static bool same_gates(const Gates& a, const Gates& b);
  bool compatible(const Edge& a, const Edge& b) const;
  void closed(const Edge* const path[], std::size_t length);
  // Circles through that condition, or all.
  void decide(const Lock* condition);
  bool is_needed(const Edge& signal, ThreadId waiter) const;
  void report(const Edge* const path[], std::size_t length);

  DetectorContext context_ = {};
  ObjectTable<Lock> locks_;
  HappensBefore creation_;  // ordered by creating and joining alone
  Circle* circles_ = nullptr;
  Circle** last_circle_ = &circles_;  // where the next one goes
  std::uint64_t dropped_ = 0;
};

}  // namespace heddle
