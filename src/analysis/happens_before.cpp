#include "analysis/happens_before.h"

namespace heddle {

HappensBefore::SyncOrder& HappensBefore::Shard::object(std::uint64_t key) {
  SyncOrder* const known = objects.find_or_make(key);
  return known == nullptr ? overflow : *known;
}

const HappensBefore::SyncOrder& HappensBefore::Shard::known(std::uint64_t key) const {
  const SyncOrder* const found = objects.find(key);
  return found == nullptr ? overflow : *found;
}

void HappensBefore::begin_run(Arena& arena) {
  arena_ = &arena;
  for (Shard& shard : shards_) {
    shard.objects.begin_run(arena);
    shard.overflow = {};
  }
  for (std::uint64_t& bits : held_) {
    if (bits != 0) bits = 0;
  }
  blind_ = false;
  threads_.clear();
}

void HappensBefore::must(bool stored) {
  if (!stored) __atomic_store_n(&blind_, true, __ATOMIC_RELAXED);
}

void HappensBefore::advance(std::uint16_t thread) {
  VectorClock& clock = threads_[thread].clock;
  if (thread < clock.size) ++clock.ticks[thread];
}

void HappensBefore::learn(std::uint16_t thread, const VectorClock& from) {
  must(join(*arena_, threads_[thread].clock, from));
}

void HappensBefore::learn_from(std::uint16_t thread, std::uint64_t key) {
  Shard& shard = shard_of(key);
  const SpinGuard guard(shard.lock);
  learn(thread, shard.known(key).released);
}

void HappensBefore::tell(std::uint16_t thread, std::uint64_t key) {
  Shard& shard = shard_of(key);
  {
    const SpinGuard guard(shard.lock);
    must(join(*arena_, shard.object(key).released, threads_[thread].clock));
  }
  advance(thread);
}

// Between hold() and let_go(), where that matters.
void HappensBefore::load(const Event& event) {
  ThreadOrder& own = threads_[event.thread.value];
  const VectorClock& seen = shard_of(event.object.value).known(event.object.value).released;
  if (seen.size > 0)
    must(join(*arena_, acquires(event.order) ? own.clock : own.fence_acquire, seen));
}

// Between hold() and let_go(), where that matters.
void HappensBefore::store(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  const bool release = releases(event.order);
  const VectorClock& told = release ? threads_[thread].clock : threads_[thread].fence_release;
  const bool continues = event.kind != EventKind::atomic_store;
  Shard& shard = shard_of(event.object.value);
  // A relaxed operation that tells nothing and ends nothing needs no place.
  if (!release && told.size == 0 &&
      (continues || shard.objects.find(event.object.value) == nullptr))
    return;
  SyncOrder& target = shard.object(event.object.value);
  if (continues || &target == &shard.overflow) {
    must(join(*arena_, target.released, told));
  } else {
    must(assign(*arena_, target.released, told));
  }
  if (release) advance(thread);
}

void HappensBefore::lock_exclusively(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Shard& shard = shard_of(event.object.value);
  const SpinGuard guard(shard.lock);
  SyncOrder& lock = shard.object(event.object.value);
  learn(thread, lock.released);
  learn(thread, lock.second);
  lock.writer = thread + 1u;
}

// Who finds that the owner died knows all that the owner did: it has ended, and the kernel says so.
void HappensBefore::lock_robust_mutex(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Shard& shard = shard_of(event.object.value);
  const SpinGuard guard(shard.lock);
  SyncOrder& mutex = shard.object(event.object.value);
  learn(thread, mutex.released);
  if (event.result == EOWNERDEAD && mutex.writer != 0) {
    learn(thread, threads_[mutex.writer - 1].clock);
  }
  mutex.writer = thread + 1u;
}

void HappensBefore::leave_barrier(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Shard& shard = shard_of(event.object.value);
  const SpinGuard guard(shard.lock);
  SyncOrder& barrier = shard.object(event.object.value);
  if (&barrier != &shard.overflow && threads_[thread].barrier_round == barrier.round) {
    // The first to leave: everybody has arrived, nobody has come again.
    ++barrier.round;
    must(assign(*arena_, barrier.released, barrier.second));
    clear(barrier.second);
  }
  learn(thread, barrier.released);
  if (&barrier == &shard.overflow) learn(thread, barrier.second);
}

void HappensBefore::acquire_side(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  begin(event.thread);
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
    if (!succeeded(event)) return;
    const bool robust = takes_mutex(kind) && event.argument == 1;
    robust ? lock_robust_mutex(event) : learn_from(thread, key);
  } else if (takes_exclusive(kind)) {
    if (succeeded(event)) lock_exclusively(event);
  } else if (is_wait(kind)) {
    if (event.phase == EventPhase::after) learn_from(thread, event.argument);
  } else if (kind == EventKind::once) {
    if (event.phase == EventPhase::before || event.value == 0) learn_from(thread, key);
  } else if (kind == EventKind::barrier_wait) {
    if (event.phase == EventPhase::after) leave_barrier(event);
  } else if (kind == EventKind::thread_join) {
    if (event.result != 0 || event.argument >= kMaxThreads) return;
    learn(thread, threads_[event.argument].clock);
  }
}

void HappensBefore::unlock_shared_lock(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Shard& shard = shard_of(event.object.value);
  {
    const SpinGuard guard(shard.lock);
    SyncOrder& lock = shard.object(event.object.value);
    const bool writes = lock.writer == thread + 1u;
    if (writes) lock.writer = 0;
    must(join(*arena_, writes ? lock.released : lock.second, threads_[thread].clock));
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
    Shard& shard = shard_of(key);
    {
      const SpinGuard guard(shard.lock);
      SyncOrder& barrier = shard.object(key);
      threads_[thread].barrier_round = barrier.round;
      must(join(*arena_, barrier.second, threads_[thread].clock));
    }
    advance(thread);
  } else if (kind == EventKind::thread_create) {
    if (event.argument >= kMaxThreads) return;
    const auto child = static_cast<std::uint16_t>(event.argument);
    learn(child, threads_[thread].clock);
    begin(ThreadId{child});
    advance(thread);
  } else if (kind == EventKind::thread_exit) {
    advance(thread);
  }
}

}  // namespace heddle
