#include "detect/goodlock.h"

#include "base/hash.h"

namespace heddle {

static bool is_signal(EventKind kind) {
  return kind == EventKind::cond_signal || kind == EventKind::cond_broadcast;
}

void Goodlock::begin_run(const DetectorContext& context) {
  context_ = context;
  circles_ = nullptr;
  last_circle_ = &circles_;
  locks_.begin_run(*context.arena);
  creation_.begin_run(*context.arena);
  dropped_ = 0;
}

std::uint64_t Goodlock::dropped() const { return dropped_ + locks_.dropped(); }

void Goodlock::on(const Event& event) {
  const EventKind kind = event.kind;
  if (is_plain_access(kind) || is_atomic(kind)) return;
  if (kind == EventKind::thread_create || kind == EventKind::thread_start ||
      kind == EventKind::thread_exit || kind == EventKind::thread_join) {
    creation_.acquire_side(event);
    creation_.release_side(event);
    const bool took_place = kind != EventKind::thread_join || event.result == 0;
    if (context_.lock_order != nullptr && took_place) {
      context_.lock_order->creation(
          {event.thread, ThreadId{static_cast<std::uint16_t>(event.argument)}, kind, {}});
    }
  } else if (gives_up(kind)) {
    return;
  } else if (takes_mutex(kind) || takes_exclusive(kind)) {
    if (succeeded(event)) take(event, event.object.value, false);
  } else if (takes_shared(kind)) {
    if (succeeded(event)) take(event, event.object.value, true);
  } else if (is_wait(kind)) {
    event.phase == EventPhase::before ? wait(event) : take(event, event.argument, false);
  } else if (is_signal(kind)) {
    signal(event);
  } else if (kind == EventKind::mutex_init || kind == EventKind::mutex_destroy ||
             kind == EventKind::rwlock_init || kind == EventKind::rwlock_destroy ||
             kind == EventKind::cond_init || kind == EventKind::cond_destroy) {
    // Counted from the first, edges or none: the n-th lock in this memory is the n-th in every run.
    if (Lock* const lock = locks_.find_or_make(event.object.value)) another_life(*lock);
  } else if (kind == EventKind::allocate) {
    locks_.for_range(event.object.value, event.argument,
                     [this](Lock& lock) { another_life(lock); });
  }
}

void Goodlock::end_run() { decide(nullptr); }

void Goodlock::another_life(Lock& lock) {
  decide(&lock);
  lock = {nullptr, lock.life + 1, false};
}

void Goodlock::take(const Event& event, std::uint64_t lock, bool shared) {
  for (const TakenLock& already : context_.held->of(event.thread)) {
    if (already.lock == lock) return;  // again: it does not wait
  }
  Edge edge{};
  edge.to = lock;
  edge.site = event.site;
  edge.step = event.step;
  edge.thread = event.thread;
  edge.kind = event.kind;
  edge.wants_shared = shared;
  add_all(edge, 0);
}

void Goodlock::wait(const Event& event) {
  Edge edge{};
  edge.to = event.object.value;
  edge.site = event.site;
  edge.step = event.step;
  edge.thread = event.thread;
  edge.kind = event.kind;
  add_all(edge, event.argument);  // the mutex is given back while it waits
  Lock* const condition = locks_.find(edge.to);
  const LockStacks::Stack& held = context_.held->of(event.thread);
  const bool with_lock = held.size() > 1 || (!held.empty() && held[0].lock != event.argument);
  if (condition == nullptr || condition->waited_with_lock || !with_lock) return;
  condition->waited_with_lock = true;
  for (const Edge* known = condition->edges; known != nullptr; known = known->next) {
    if (known->to == known->from) log(*known);
  }
}

void Goodlock::add_all(Edge edge, std::uint64_t given_up) {
  const LockStacks::Stack& held = context_.held->of(edge.thread);
  if (held.empty()) return;
  if (context_.held->incomplete(edge.thread)) {
    ++dropped_;  // a lock that is not known may be a gate
    return;
  }
  for (const TakenLock& holding : held) {
    if (holding.lock == given_up) continue;
    TakenLock others[LockStacks::kMost];
    std::uint32_t count = 0;
    for (const TakenLock& gate : held) {
      if (gate.lock != holding.lock && gate.lock != given_up) others[count++] = gate;
    }
    edge.from = holding.lock;
    edge.from_site = holding.site;
    edge.held_shared = holding.mode == LockMode::shared;
    edge.gates = {count, others};
    add(edge);
  }
}

void Goodlock::signal(const Event& event) {
  TakenLock under[LockStacks::kMost];
  std::uint32_t count = 0;
  for (const TakenLock& holding : context_.held->of(event.thread)) {
    if (gives_up(holding.how)) continue;  // the signal would have come without it, or not at all
    under[count++] = holding;
  }
  Edge edge{};
  edge.from = event.object.value;
  edge.from_site = event.site;
  edge.step = event.step;
  edge.thread = event.thread;
  edge.kind = event.kind;
  edge.gates = {count, under};  // each is under itself, too
  if (count == 0) {
    edge.to = edge.from;
    edge.site = event.site;
    add(edge);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    edge.to = under[i].lock;
    edge.site = under[i].site;
    add(edge);
  }
}

bool Goodlock::same_gates(const Gates& a, const Gates& b) {
  if (a.count != b.count) return false;
  for (std::uint32_t i = 0; i < a.count; ++i) {
    if (a.locks[i].lock != b.locks[i].lock || a.locks[i].mode != b.locks[i].mode) return false;
  }
  return true;
}

void Goodlock::add(const Edge& wanted) {
  Lock* const from = locks_.find_or_make(wanted.from);
  const Lock* const to = locks_.find_or_make(wanted.to);
  if (from == nullptr || to == nullptr) return;
  for (const Edge* known = from->edges; known != nullptr; known = known->next) {
    if (known->to == wanted.to && known->to_life == to->life && known->thread == wanted.thread &&
        known->site == wanted.site && known->held_shared == wanted.held_shared &&
        known->wants_shared == wanted.wants_shared && same_gates(known->gates, wanted.gates)) {
      return;
    }
  }
  Edge* const edge = context_.arena->make<Edge>();
  auto* const gates = context_.arena->make_array<TakenLock>(wanted.gates.count);
  if (edge == nullptr || gates == nullptr) {
    ++dropped_;
    return;
  }
  for (std::uint32_t i = 0; i < wanted.gates.count; ++i) gates[i] = wanted.gates.locks[i];
  *edge = wanted;
  edge->gates.locks = gates;
  edge->from_life = from->life;
  edge->to_life = to->life;
  edge->tick = creation_.tick(wanted.thread);
  edge->next = from->edges;
  from->edges = edge;
  // Who signals under no lock matters where somebody waits with one.
  if (edge->to != edge->from || from->waited_with_lock) log(*edge);
  const Edge* path[kLongest] = {edge};
  std::uint32_t visits = 0;
  search(path, 1, visits);
  if (visits >= kMostVisits) ++dropped_;
}

void Goodlock::log(const Edge& edge) {
  if (context_.lock_order == nullptr) return;
  LockEdge logged{};
  logged.from = ObjectId{edge.from};
  logged.to = ObjectId{edge.to};
  logged.from_site = edge.from_site;
  logged.site = edge.site;
  logged.from_life = edge.from_life;
  logged.to_life = edge.to_life;
  logged.thread = edge.thread;
  logged.kind = edge.kind;
  if (edge.held_shared) logged.flags |= kEdgeHeldShared;
  if (edge.wants_shared) logged.flags |= kEdgeWantsShared;
  if (edge.gates.count > kEdgeGates && !is_signal(edge.kind)) {
    context_.lock_order->drop();
    return;
  }
  for (std::uint32_t i = 0; i < edge.gates.count && i < kEdgeGates; ++i) {
    if (edge.gates.locks[i].mode == LockMode::shared) {
      logged.shared_gates = static_cast<std::uint16_t>(logged.shared_gates | 1u << i);
    }
    logged.gates[logged.gate_count++] = ObjectId{edge.gates.locks[i].lock};
  }
  context_.lock_order->edge(logged);
}

bool Goodlock::compatible(const Edge& a, const Edge& b) const {
  if (a.thread == b.thread) return false;
  // The later of the two is the one that was added now: its thread's knowledge decides.
  const Edge& earlier = a.step < b.step ? a : b;
  const Edge& later = a.step < b.step ? b : a;
  if (creation_.ordered(earlier.thread, earlier.tick, later.thread)) return false;
  // Who reads lets other readers in.
  const auto keeps_out = [](const TakenLock& gate, std::uint64_t lock, bool shared) {
    return gate.lock == lock && !(shared && gate.mode == LockMode::shared);
  };
  const std::uint32_t gates_of_a = is_signal(a.kind) ? 0 : a.gates.count;
  const std::uint32_t gates_of_b = is_signal(b.kind) ? 0 : b.gates.count;
  for (std::uint32_t i = 0; i < gates_of_a; ++i) {
    const TakenLock& gate = a.gates.locks[i];
    if (keeps_out(gate, b.from, b.held_shared)) return false;
    for (std::uint32_t j = 0; j < gates_of_b; ++j) {
      const TakenLock& other = b.gates.locks[j];
      if (keeps_out(gate, other.lock, other.mode == LockMode::shared)) return false;
    }
  }
  for (std::uint32_t j = 0; j < gates_of_b; ++j) {
    if (keeps_out(b.gates.locks[j], a.from, a.held_shared)) return false;
  }
  return a.from != b.from;
}

void Goodlock::search(const Edge* path[], std::size_t length, std::uint32_t& visits) {
  const Edge& last = *path[length - 1];
  const Lock* const at = locks_.find(last.to);
  if (at == nullptr || at->life != last.to_life) return;
  for (const Edge* edge = at->edges; edge != nullptr; edge = edge->next) {
    if (++visits >= kMostVisits) return;
    if (last.wants_shared && edge->held_shared) continue;  // two readers do not wait for each other
    bool fits = true;
    for (std::size_t i = 0; i < length && fits; ++i) fits = compatible(*path[i], *edge);
    if (!fits) continue;
    path[length] = edge;
    const Lock* const target = locks_.find(edge->to);
    if (target == nullptr || target->life != edge->to_life) continue;
    if (edge->to == path[0]->from) {
      if (!(edge->wants_shared && path[0]->held_shared)) closed(path, length + 1);
    } else if (length + 1 < kLongest) {
      search(path, length + 1, visits);
    }
  }
}

void Goodlock::closed(const Edge* const path[], std::size_t length) {
  bool through_condition = false;
  for (std::size_t i = 0; i < length; ++i) through_condition |= is_signal(path[i]->kind);
  if (!through_condition) return report(path, length);
  auto* const circle = context_.arena->make<Circle>();
  if (circle == nullptr) {
    ++dropped_;
    return;
  }
  for (std::size_t i = 0; i < length; ++i) circle->path[i] = path[i];
  circle->length = length;
  *last_circle_ = circle;
  last_circle_ = &circle->next;
}

void Goodlock::decide(const Lock* condition) {
  for (Circle* circle = circles_; circle != nullptr; circle = circle->next) {
    bool concerned = condition == nullptr;
    bool stands = true;
    for (std::size_t i = 0; i < circle->length; ++i) {
      const Edge& edge = *circle->path[i];
      if (!is_signal(edge.kind)) continue;
      const Edge& before = *circle->path[i == 0 ? circle->length - 1 : i - 1];
      concerned = concerned || locks_.find(edge.from) == condition;
      stands = stands && is_needed(edge, before.thread);
    }
    if (!concerned || circle->length == 0) continue;
    if (stands) report(circle->path, circle->length);
    circle->length = 0;
  }
}

// Nobody but the waiter, who cannot, has signalled the condition without the lock that this signal was under.
bool Goodlock::is_needed(const Edge& signal, ThreadId waiter) const {
  const Lock* const condition = locks_.find(signal.from);
  if (condition == nullptr) return false;
  for (const Edge* other = condition->edges; other != nullptr; other = other->next) {
    if (!is_signal(other->kind) || other->thread == waiter) continue;
    bool under_it = false;
    for (std::uint32_t i = 0; i < other->gates.count; ++i) {
      under_it |= other->gates.locks[i].lock == signal.to;
    }
    if (!under_it) return false;
  }
  return true;
}

void Goodlock::report(const Edge* const path[], std::size_t length) {
  Finding finding{};
  finding.kind = FindingKind::lock_order;
  finding.detector = context_.self;
  const Edge& first = *path[1];
  const Edge& second = *path[0];  // the newest
  finding.first_kind = first.kind;
  finding.second_kind = second.kind;
  finding.first_thread = first.thread;
  finding.second_thread = second.thread;
  finding.object = ObjectId{second.to};
  finding.first_site = first.site;
  finding.second_site = second.site;
  finding.first_step = first.step;
  finding.second_step = second.step;
  if (length > 2) finding.begun_site = path[2]->site;
  finding.detail = length;
  context_.findings->report(finding);
}

}  // namespace heddle
