#include "analysis/happens_before.h"

namespace heddle {

void HappensBefore::begin_run(Arena& arena) {
  arena_ = &arena;
  objects_.begin_run(arena);
  overflow_ = {};
  blind_ = false;
  for (ThreadOrder& thread : threads_) thread = {};
}

void HappensBefore::must(bool stored) { blind_ = blind_ || !stored; }

void HappensBefore::begin(std::uint16_t thread) {
  if (tick_of(threads_[thread].clock, thread) == 0)
    must(set_tick(*arena_, threads_[thread].clock, thread, 1));
}

void HappensBefore::advance(std::uint16_t thread) {
  VectorClock& clock = threads_[thread].clock;
  if (thread < clock.size) ++clock.ticks[thread];
}

HappensBefore::SyncOrder& HappensBefore::object(std::uint64_t key) {
  SyncOrder* const known = objects_.find_or_make(key);
  return known == nullptr ? overflow_ : *known;
}

void HappensBefore::learn(std::uint16_t thread, const VectorClock& from) {
  must(join(*arena_, threads_[thread].clock, from));
}

void HappensBefore::learn_from(std::uint16_t thread, std::uint64_t key) {
  const SyncOrder* const known = objects_.find(key);
  learn(thread, known == nullptr ? overflow_.released : known->released);
}

void HappensBefore::tell(std::uint16_t thread, std::uint64_t key) {
  must(join(*arena_, object(key).released, threads_[thread].clock));
  advance(thread);
}

void HappensBefore::load(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  if (acquires(event.order)) return learn_from(thread, event.object.value);
  const SyncOrder* const known = objects_.find(event.object.value);
  const VectorClock& seen = known == nullptr ? overflow_.released : known->released;
  if (seen.size > 0) must(join(*arena_, threads_[thread].fence_acquire, seen));
}

void HappensBefore::store(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  const bool release = releases(event.order);
  const VectorClock& told = release ? threads_[thread].clock : threads_[thread].fence_release;
  const bool continues = event.kind != EventKind::atomic_store;
  // A relaxed operation that tells nothing and ends nothing needs no place.
  if (!release && told.size == 0 && (continues || objects_.find(event.object.value) == nullptr))
    return;
  SyncOrder& target = object(event.object.value);
  if (continues || &target == &overflow_) {
    must(join(*arena_, target.released, told));
  } else {
    must(assign(*arena_, target.released, told));
  }
  if (release) advance(thread);
}

void HappensBefore::acquire_side(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  begin(thread);
  const EventKind kind = event.kind;
  if (is_plain_access(kind)) return;
  const std::uint64_t key = event.object.value;
  if (kind == EventKind::atomic_fence) {
    if (!acquires(event.order)) return;
    learn(thread, threads_[thread].fence_acquire);
    clear(threads_[thread].fence_acquire);
  } else if (is_atomic(kind)) {
    if (kind != EventKind::atomic_store) load(event);
  } else if (takes_mutex(kind) || takes_shared(kind) || takes_semaphore(kind)) {
    if (succeeded(event)) learn_from(thread, key);
  } else if (takes_exclusive(kind)) {
    if (!succeeded(event)) return;
    SyncOrder& lock = object(key);
    learn(thread, lock.released);
    learn(thread, lock.second);
    lock.writer = thread + 1u;
  } else if (is_wait(kind)) {
    if (event.phase == EventPhase::after) learn_from(thread, event.argument);
  } else if (kind == EventKind::once) {
    if (event.phase == EventPhase::before || event.value == 0) learn_from(thread, key);
  } else if (kind == EventKind::barrier_wait) {
    if (event.phase == EventPhase::before) return;
    SyncOrder& barrier = object(key);
    if (&barrier != &overflow_ && threads_[thread].barrier_round == barrier.round) {
      // The first to leave: everybody has arrived, nobody has come again.
      ++barrier.round;
      must(assign(*arena_, barrier.released, barrier.second));
      clear(barrier.second);
    }
    learn(thread, barrier.released);
    if (&barrier == &overflow_) learn(thread, barrier.second);
  } else if (kind == EventKind::thread_join) {
    if (event.result != 0 || event.argument >= kMaxThreads) return;
    learn(thread, threads_[event.argument].clock);
  }
}

void HappensBefore::unlock_shared_lock(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  SyncOrder& lock = object(event.object.value);
  if (lock.writer == thread + 1u) {
    lock.writer = 0;
    must(join(*arena_, lock.released, threads_[thread].clock));
  } else {
    must(join(*arena_, lock.second, threads_[thread].clock));
  }
  advance(thread);
}

void HappensBefore::release_side(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  const EventKind kind = event.kind;
  if (is_plain_access(kind)) return;
  const std::uint64_t key = event.object.value;
  if (kind == EventKind::atomic_fence) {
    if (!releases(event.order)) return;
    must(assign(*arena_, threads_[thread].fence_release, threads_[thread].clock));
    advance(thread);
  } else if (is_atomic(kind)) {
    if (stores(event)) store(event);
  } else if (gives_mutex(kind) || kind == EventKind::sem_post) {
    if (event.result == 0) tell(thread, key);
  } else if (kind == EventKind::rwlock_unlock) {
    if (event.result == 0) unlock_shared_lock(event);
  } else if (is_wait(kind)) {
    if (event.phase == EventPhase::before) tell(thread, event.argument);
  } else if (kind == EventKind::once) {
    if (event.phase == EventPhase::after && event.value != 0) tell(thread, key);
  } else if (kind == EventKind::barrier_wait) {
    if (event.phase == EventPhase::after) return;
    SyncOrder& barrier = object(key);
    threads_[thread].barrier_round = barrier.round;
    must(join(*arena_, barrier.second, threads_[thread].clock));
    advance(thread);
  } else if (kind == EventKind::thread_create) {
    if (event.argument >= kMaxThreads) return;
    const auto child = static_cast<std::uint16_t>(event.argument);
    learn(child, threads_[thread].clock);
    begin(child);
    advance(thread);
  } else if (kind == EventKind::thread_exit) {
    advance(thread);
  }
}

}  // namespace heddle
