#include "detect/goodlock.h"

#include "base/hash.h"

namespace heddle {

void Goodlock::begin_run(const DetectorContext& context) {
  context_ = context;
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
  } else if (only_tries(kind)) {
    return;
  } else if (takes_mutex(kind) || takes_exclusive(kind)) {
    if (succeeded(event)) take(event, event.object.value, false);
  } else if (takes_shared(kind)) {
    if (succeeded(event)) take(event, event.object.value, true);
  } else if (is_wait(kind)) {
    event.phase == EventPhase::before ? wait(event) : take(event, event.argument, false);
  } else if (kind == EventKind::cond_signal || kind == EventKind::cond_broadcast) {
    signal(event);
  } else if (kind == EventKind::mutex_init || kind == EventKind::mutex_destroy ||
             kind == EventKind::rwlock_init || kind == EventKind::rwlock_destroy ||
             kind == EventKind::cond_init || kind == EventKind::cond_destroy) {
    if (Lock* const lock = locks_.find(event.object.value)) {
      ++lock->life;
      lock->edges = nullptr;
    }
  } else if (kind == EventKind::allocate) {
    locks_.for_range(event.object.value, event.argument, [](Lock& lock) {
      ++lock.life;
      lock.edges = nullptr;
    });
  }
}

void Goodlock::take(const Event& event, std::uint64_t lock, bool shared) {
  const LockStacks::Stack& held = context_.held->of(event.thread);
  for (const TakenLock& already : held) {
    if (already.lock == lock) return;  // again: it does not wait
  }
  for (const TakenLock& holding : held) {
    Edge edge{};
    edge.from = holding.lock;
    edge.to = lock;
    edge.from_site = holding.site;
    edge.site = event.site;
    edge.step = event.step;
    edge.thread = event.thread;
    edge.kind = event.kind;
    edge.held_shared = holding.mode == LockMode::shared;
    edge.wants_shared = shared;
    for (const TakenLock& gate : held) {
      if (gate.lock != holding.lock && !edge.gates.full()) edge.gates.push_back(gate.lock);
    }
    add(edge);
  }
}

void Goodlock::wait(const Event& event) {
  const LockStacks::Stack& held = context_.held->of(event.thread);
  for (const TakenLock& holding : held) {
    if (holding.lock == event.argument) continue;  // given back while it waits
    Edge edge{};
    edge.from = holding.lock;
    edge.to = event.object.value;
    edge.from_site = holding.site;
    edge.site = event.site;
    edge.step = event.step;
    edge.thread = event.thread;
    edge.kind = event.kind;
    for (const TakenLock& gate : held) {
      if (gate.lock != holding.lock && gate.lock != event.argument && !edge.gates.full()) {
        edge.gates.push_back(gate.lock);
      }
    }
    add(edge);
  }
}

void Goodlock::signal(const Event& event) {
  const LockStacks::Stack& held = context_.held->of(event.thread);
  for (const TakenLock& holding : held) {
    Edge edge{};
    edge.from = event.object.value;
    edge.to = holding.lock;
    edge.from_site = event.site;
    edge.site = holding.site;
    edge.step = event.step;
    edge.thread = event.thread;
    edge.kind = event.kind;
    add(edge);
  }
}

void Goodlock::add(const Edge& wanted) {
  Lock* const from = locks_.find_or_make(wanted.from);
  const Lock* const to = locks_.find_or_make(wanted.to);
  if (from == nullptr || to == nullptr) return;
  for (const Edge* known = from->edges; known != nullptr; known = known->next) {
    if (known->to != wanted.to || known->to_life != to->life || known->thread != wanted.thread ||
        known->site != wanted.site || known->gates.size() != wanted.gates.size() ||
        known->held_shared != wanted.held_shared || known->wants_shared != wanted.wants_shared) {
      continue;
    }
    bool same = true;
    for (std::size_t i = 0; i < known->gates.size(); ++i) {
      same = same && known->gates[i] == wanted.gates[i];
    }
    if (same) return;
  }
  Edge* const edge = context_.arena->make<Edge>();
  if (edge == nullptr) {
    ++dropped_;
    return;
  }
  *edge = wanted;
  edge->to_life = to->life;
  edge->tick = creation_.tick(wanted.thread);
  edge->next = from->edges;
  from->edges = edge;
  const Edge* path[kLongest] = {edge};
  std::uint32_t visits = 0;
  search(path, 1, visits);
  if (visits >= kMostVisits) ++dropped_;
}

bool Goodlock::compatible(const Edge& a, const Edge& b) const {
  if (a.thread == b.thread) return false;
  // The later of the two is the one that was added now: its thread's knowledge decides.
  const Edge& earlier = a.step < b.step ? a : b;
  const Edge& later = a.step < b.step ? b : a;
  if (creation_.ordered(earlier.thread, earlier.tick, later.thread)) return false;
  for (const std::uint64_t gate : a.gates) {
    if (gate == b.from) return false;
    for (const std::uint64_t other : b.gates) {
      if (gate == other) return false;
    }
  }
  for (const std::uint64_t gate : b.gates) {
    if (gate == a.from) return false;
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
      if (!(edge->wants_shared && path[0]->held_shared)) report(path, length + 1);
    } else if (length + 1 < kLongest) {
      search(path, length + 1, visits);
    }
  }
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
