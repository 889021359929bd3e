#include "analysis/happens_before.h"

namespace heddle {

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

void HappensBefore::look_up(Recent& recent, std::uint64_t key) {
  Shard& shard = shard_of(key);
  const SpinGuard guard(shard.lock);
  Object* const made = shard.objects.find_or_make(key);
  Object& object = made == nullptr ? shard.overflow : *made;
  object.shared = made == nullptr;
  if (object.released.capacity == 0) {
    object.released.ticks = object.few;
    object.released.capacity = sizeof(object.few) / sizeof(object.few[0]);
  }
  recent = {key, &object, Recent::kNever, Recent::kNever};
}

void HappensBefore::learn_from(ThreadId thread, std::uint64_t key) {
  Recent& recent = come_to(thread, key);
  Object& from = *recent.object;
  if (from.lock.version() == recent.version) return;
  from.lock.lock();
  learn(thread.value, from.released);
  recent.knows(from.lock.version_before());
  from.lock.unlock_unchanged();
}

void HappensBefore::tell(ThreadId thread, std::uint64_t key) {
  Recent& recent = come_to(thread, key);
  {
    const SpinGuard guard(recent.object->lock);
    publish(thread.value, recent, false);
  }
  advance(thread.value);
}

void HappensBefore::publish_all(std::uint16_t thread, Recent& recent, bool replaces) {
  const ThreadOrder& own = threads_.known(thread);
  Object& object = *recent.object;
  if (recent.version != object.lock.version_before() && !replaces) {
    return must(join(*arena_, object.released, own.clock));
  }
  const bool assigned = assign(*arena_, object.released, own.clock);
  must(assigned);
  if (!assigned) return;
  recent.learned = own.learned;
  recent.version = object.lock.version_after();
}

void HappensBefore::learn_news(ThreadId thread, const Object& object, MemoryOrder order) {
  ThreadOrder& own = threads_.known(thread.value);
  const bool acquire = acquires(order);
  if (object.released.size != 0) {
    if (acquire) {
      learn(thread.value, object.released);
    } else {
      must(join(*arena_, own.fence_acquire, object.released));
    }
  }
  if (acquire) own.at->knows(object.lock.version_before());
}

bool HappensBefore::end_unknown_load(ThreadId thread, const Reading& reading, MemoryOrder order) {
  const Object& from = *reading.object;
  constexpr std::uint32_t kFew = sizeof(from.few) / sizeof(from.few[0]);
  std::uint32_t ticks[kFew];
  const std::uint32_t size = __atomic_load_n(&from.released.size, __ATOMIC_RELAXED);
  if (!VersionLock::is_free(reading.version) || size > kFew) return false;
  for (std::uint32_t i = 0; i < size; ++i)
    ticks[i] = __atomic_load_n(&from.few[i], __ATOMIC_RELAXED);
  const bool in_place = __atomic_load_n(&from.released.ticks, __ATOMIC_RELAXED) == from.few;
  if (!in_place || !from.lock.is_still(reading.version)) return false;
  ThreadOrder& own = threads_.known(thread.value);
  const VectorClock told{ticks, size, kFew};
  if (acquires(order)) {
    if (size != 0) learn(thread.value, told);
    own.at->knows(reading.version);
  } else if (size != 0) {
    must(join(*arena_, own.fence_acquire, told));
  }
  return true;
}

bool HappensBefore::stored_without_release(ThreadId thread, Object& object, EventKind kind) {
  const ThreadOrder& own = threads_.known(thread.value);
  if (kind == EventKind::atomic_store && !object.shared) {
    if (object.released.size == 0 && own.fence_release.size == 0) return false;
    must(assign(*arena_, object.released, own.fence_release));
    return true;
  }
  if (own.fence_release.size == 0) return false;
  must(join(*arena_, object.released, own.fence_release));
  return true;
}

void HappensBefore::load(const Event& event) {
  if (is_silent(event.thread, event.object.value, event.order)) return;
  Object& object = hold(event.thread, event.object.value);
  loaded(event.thread, object, event.order);
  let_go_unchanged(object);
}

void HappensBefore::store(const Event& event) {
  if (is_silent(event.thread, event.object.value, event.order)) return;
  Object& object = hold(event.thread, event.object.value);
  const bool told = stored(event.thread, object, event.kind, event.order);
  told ? let_go(object) : let_go_unchanged(object);
}

void HappensBefore::lock_exclusively(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Object& lock = object(event.thread, event.object.value);
  const SpinGuard guard(lock.lock);
  learn(thread, lock.released);
  learn(thread, lock.second);
  lock.writer = static_cast<std::uint16_t>(thread + 1);
}

// Who finds that the owner died knows all that the owner did: it has ended, and the kernel says so.
void HappensBefore::lock_robust_mutex(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Object& mutex = object(event.thread, event.object.value);
  const SpinGuard guard(mutex.lock);
  learn(thread, mutex.released);
  if (event.result == EOWNERDEAD && mutex.writer != 0) {
    learn(thread, threads_[mutex.writer - 1].clock);
  }
  mutex.writer = static_cast<std::uint16_t>(thread + 1);
}

void HappensBefore::arrive_at_barrier(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Object& barrier = object(event.thread, event.object.value);
  {
    const SpinGuard guard(barrier.lock);
    threads_[thread].barrier_round = barrier.round;
    must(join(*arena_, barrier.second, threads_[thread].clock));
  }
  advance(thread);
}

void HappensBefore::leave_barrier(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Object& barrier = object(event.thread, event.object.value);
  const SpinGuard guard(barrier.lock);
  if (!barrier.shared && threads_[thread].barrier_round == barrier.round) {
    // The first to leave: everybody has arrived, nobody has come again.
    ++barrier.round;
    must(assign(*arena_, barrier.released, barrier.second));
    clear(barrier.second);
  }
  learn(thread, barrier.released);
  if (barrier.shared) learn(thread, barrier.second);
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
    robust ? lock_robust_mutex(event) : learn_from(event.thread, key);
  } else if (takes_exclusive(kind)) {
    if (succeeded(event)) lock_exclusively(event);
  } else if (is_wait(kind)) {
    if (event.phase == EventPhase::after) learn_from(event.thread, event.argument);
  } else if (kind == EventKind::once) {
    if (event.phase == EventPhase::before || event.value == 0) learn_from(event.thread, key);
  } else if (kind == EventKind::barrier_wait) {
    if (event.phase == EventPhase::after) leave_barrier(event);
  } else if (kind == EventKind::thread_join) {
    if (event.result != 0 || event.argument >= kMaxThreads) return;
    learn(thread, threads_[event.argument].clock);
  }
}

void HappensBefore::unlock_shared_lock(const Event& event) {
  const std::uint16_t thread = event.thread.value;
  Object& lock = object(event.thread, event.object.value);
  {
    const SpinGuard guard(lock.lock);
    const bool writes = lock.writer == thread + 1;
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
    if (event.result == 0) tell(event.thread, key);
  } else if (kind == EventKind::rwlock_unlock) {
    if (event.result == 0) unlock_shared_lock(event);
  } else if (is_wait(kind)) {
    if (event.phase == EventPhase::before) tell(event.thread, event.argument);
  } else if (kind == EventKind::once) {
    if (event.phase == EventPhase::after && event.value != 0) tell(event.thread, key);
  } else if (kind == EventKind::barrier_wait) {
    if (event.phase == EventPhase::before) arrive_at_barrier(event);
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
