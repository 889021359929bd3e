#include "coverage/hb_pairs.h"

namespace heddle {

namespace {

// Threads as objects; addresses and object ids are far from these.
constexpr std::uint64_t of_thread(std::uint64_t thread) {
  return 0xf500'0000'0000'0000ULL | thread;
}

}  // namespace

void HappensBeforePairs::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  plain_ = rows[0];
  starred_ = rows[1];
  releases_ = 0;
  objects_.begin_run(*context.arena);
  waiting_.clear();
}

void HappensBeforePairs::release(std::uint64_t key, const Seen& seen) {
  Release* const last = objects_.find_or_make(key);
  if (last == nullptr) return;
  const std::uint64_t who = starred_.on ? context_.identities->thread(seen.event.thread) : 0;
  *last = {seen.place, who, ++releases_, seen.event.thread};
}

void HappensBeforePairs::acquire(std::uint64_t key, const Seen& seen, std::uint64_t place,
                                 Through through) {
  const Release* const last = objects_.find(key);
  if (last == nullptr || last->number == 0 || last->by == seen.event.thread) return;
  const Part object = through == Through::object ? of_object(context_.identities->object(key))
                                                 : as_word(through == Through::end ? 1 : 0);
  context_.cover(plain_, {at_place(last->place), at_place(place), object});
  if (!starred_.on) return;
  context_.cover(starred_, {at_place(last->place), at_place(place), object, by_thread(last->thread),
                            by_thread(context_.identities->thread(seen.event.thread))});
}

void HappensBeforePairs::atomic(const Seen& seen) {
  const Event& event = seen.event;
  if (event.kind == EventKind::atomic_fence) return;
  if (event.kind != EventKind::atomic_store && acquires(event.order)) {
    acquire(event.object.value, seen, seen.place);
  }
  if (!stores(event)) return;
  if (releases(event.order)) {
    release(event.object.value, seen);
  } else if (event.kind == EventKind::atomic_store) {
    if (Release* const last = objects_.find(event.object.value)) *last = {};
  }
}

// The first thing a thread does after a wait shows that the wait is over.
void HappensBeforePairs::end_wait(const Seen& seen) {
  Waiting& waiting = waiting_[seen.event.thread.value];
  if (waiting.condition == 0) return;
  const Release* const last = objects_.find(waiting.condition);
  if (last != nullptr && last->number > waiting.since) {
    acquire(waiting.condition, seen, waiting.place);
  }
  waiting = {};
}

void HappensBeforePairs::on(const Seen& seen) {
  const Event& event = seen.event;
  const EventKind kind = event.kind;
  const std::uint64_t object = event.object.value;
  const bool before = event.phase == EventPhase::before;
  if (kind == EventKind::function_enter || kind == EventKind::function_exit ||
      kind == EventKind::allocate || is_plain_access(kind)) {
    return;
  }
  const bool takes = takes_mutex(kind) || takes_shared(kind) || takes_exclusive(kind);
  if (takes && before) return;
  end_wait(seen);
  if (is_atomic(kind)) return atomic(seen);
  if (takes || takes_semaphore(kind)) {
    if (succeeded(event)) acquire(object, seen, seen.place);
  } else if (gives_mutex(kind) || kind == EventKind::rwlock_unlock || kind == EventKind::sem_post ||
             kind == EventKind::cond_signal || kind == EventKind::cond_broadcast) {
    if (event.result == 0) release(object, seen);
  } else if (is_wait(kind)) {
    if (!before) return acquire(event.argument, seen, seen.place);
    release(event.argument, seen);
    waiting_[event.thread.value] = {object, seen.place, releases_};
  } else if (kind == EventKind::barrier_wait) {
    before ? release(object, seen) : acquire(object, seen, seen.place);
  } else if (kind == EventKind::once) {
    if (!before && event.value != 0) release(object, seen);
    if (!before && event.value == 0) acquire(object, seen, seen.place);
  } else if (kind == EventKind::thread_create) {
    release(of_thread(event.argument), seen);
  } else if (kind == EventKind::thread_start) {
    acquire(of_thread(event.thread.value), seen, seen.place, Through::start);
  } else if (kind == EventKind::thread_exit) {
    release(of_thread(event.thread.value) | 1ULL << 32, seen);
  } else if (kind == EventKind::thread_join && event.result == 0) {
    acquire(of_thread(event.argument) | 1ULL << 32, seen, seen.place, Through::end);
  }
}

}  // namespace heddle
