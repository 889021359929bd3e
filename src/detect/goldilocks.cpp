#include "detect/goldilocks.h"

namespace heddle {

namespace {

bool conflict(EventKind a, EventKind b) {
  return (is_memory_write(a) || is_memory_write(b)) && !(is_atomic(a) && is_atomic(b));
}

// A write is the last word on its bytes; a read only on earlier reads of its own thread.
bool replaces(EventKind later, EventKind earlier) {
  if (is_atomic(later) && !is_atomic(earlier)) return false;
  return is_memory_write(later) || !is_memory_write(earlier);
}

}  // namespace

void Goldilocks::begin_run(const DetectorContext& context) {
  context_ = context;
  transfers_.begin_run(*context.arena);
  shadow_.begin_run(*context.arena);
  forgotten_ = 0;
  for (std::uint64_t& count : decided_) count = 0;
}

bool Goldilocks::ordered(const Access& earlier, const Event& event) {
  const auto decide = [&](GoldilocksState how) {
    ++decided_[static_cast<unsigned>(how)];
    return how != GoldilocksState::error;
  };
  if (earlier.thread == event.thread) return decide(GoldilocksState::short_circuit_thread);
  if (earlier.lock != 0) {
    const TakenLock* const held = context_.held->find(event.thread, earlier.lock);
    if (held != nullptr && held->mode == LockMode::exclusive) {
      return decide(GoldilocksState::short_circuit_lock);
    }
  }
  using Answer = TransferList::Answer;
  if (transfers_.passed(earlier.thread, earlier.position, event.thread, true) == Answer::passed) {
    return decide(GoldilocksState::lock_set);
  }
  const Answer answer = transfers_.passed(earlier.thread, earlier.position, event.thread, false);
  if (answer == Answer::forgotten) ++forgotten_;
  return decide(answer == Answer::not_passed ? GoldilocksState::error : GoldilocksState::lock_set);
}

void Goldilocks::granule(const Event& event, std::uint64_t granule, std::uint8_t mask,
                         EventKind kind) {
  std::uint32_t* const head = shadow_.head(granule);
  if (head == nullptr) return;
  for (std::uint32_t* link = head; *link != Shadow<Access>::kNone;) {
    Access& earlier = shadow_.at(*link);
    const auto bytes = static_cast<std::uint8_t>(earlier.mask & mask);
    const bool same_thread = earlier.thread == event.thread;
    if (bytes != 0 && (same_thread || conflict(kind, earlier.kind))) {
      const bool fine = ordered(earlier, event);
      if (!fine) {
        Finding finding{};
        finding.kind = FindingKind::race;
        finding.detector = context_.self;
        finding.first_kind = earlier.kind;
        finding.second_kind = event.kind;
        finding.first_thread = earlier.thread;
        finding.second_thread = event.thread;
        finding.object = ObjectId{(granule << 3) + static_cast<unsigned>(__builtin_ctz(bytes))};
        finding.first_site = earlier.site;
        finding.second_site = event.site;
        finding.first_step = earlier.step;
        finding.second_step = event.step;
        context_.findings->report(finding);
      } else if (replaces(kind, earlier.kind)) {
        earlier.mask &= static_cast<std::uint8_t>(~bytes);
        if (earlier.mask == 0) {
          shadow_.remove(link);
          continue;
        }
      }
    }
    link = &earlier.next;
  }
  Access* const access = shadow_.push(*head);
  if (access == nullptr) return;
  access->position = transfers_.position();
  for (const TakenLock& held : context_.held->of(event.thread)) {
    if (held.mode == LockMode::exclusive) access->lock = held.lock;
  }
  access->site = event.site;
  access->step = static_cast<std::uint32_t>(event.step);
  access->thread = event.thread;
  access->kind = kind;
  access->mask = mask;
}

void Goldilocks::on(const Event& event) {
  if (event.kind == EventKind::allocate) {
    shadow_.forget(event.object.value, event.argument);
    return;
  }
  const bool plain = is_plain_access(event.kind);
  if (plain && event.phase == EventPhase::before) return;
  if (event.kind == EventKind::rwlock_unlock) {
    // A reader passes to writers only.
    Event unlock = event;
    const TakenLock* const held = context_.held->find(event.thread, event.object.value);
    unlock.value = held != nullptr && held->mode == LockMode::shared ? 1 : 0;
    transfers_.on(unlock);
    return;
  }
  const std::uint64_t size = plain || is_atomic(event.kind) ? access_size(event) : 0;
  // What it learns comes before the access, what it tells after; for one atomic both are in the list's order.
  if (!plain && !stores(event)) transfers_.on(event);
  if (is_atomic(event.kind) && stores(event) && event.kind != EventKind::atomic_store) {
    Event load = event;
    load.kind = EventKind::atomic_load;
    transfers_.on(load);
  }
  const EventKind kind = event.kind == EventKind::atomic_cas && event.result != 0
                             ? EventKind::atomic_load
                             : event.kind;
  const std::uint64_t end = event.object.value + size;
  for (std::uint64_t at = event.object.value >> 3; size != 0 && at << 3 < end; ++at) {
    granule(event, at, Shadow<Access>::mask_of(at, event.object.value, end), kind);
  }
  if (is_atomic(event.kind) && stores(event)) transfers_.on(event);
}

}  // namespace heddle
