#include "detect/misuse.h"

namespace heddle {

namespace {

bool initialises(EventKind kind) {
  return kind == EventKind::mutex_init || kind == EventKind::rwlock_init ||
         kind == EventKind::cond_init || kind == EventKind::barrier_init ||
         kind == EventKind::sem_init;
}
bool destroys(EventKind kind) {
  return kind == EventKind::mutex_destroy || kind == EventKind::rwlock_destroy ||
         kind == EventKind::cond_destroy || kind == EventKind::barrier_destroy ||
         kind == EventKind::sem_destroy;
}
bool has_initialiser(EventKind kind) {
  return kind >= EventKind::mutex_init && kind <= EventKind::cond_destroy;
}
bool uses(EventKind kind) {
  return takes_semaphore(kind) || kind == EventKind::sem_post || kind == EventKind::barrier_wait;
}

}  // namespace

void Misuse::begin_run(const DetectorContext& context) {
  context_ = context;
  objects_.begin_run(*context.arena);
  for (std::uint32_t i = 0; i < thread_count_; ++i) threads_[i] = {};
  thread_count_ = 0;
}

void Misuse::report(MisuseKind kind, const Event& event, Place earlier, FindingKind as) {
  Finding finding{};
  finding.kind = as;
  finding.detector = context_.self;
  finding.second_kind = event.kind;
  finding.first_thread = earlier.thread;
  finding.second_thread = event.thread;
  finding.object = event.object;
  finding.first_site = earlier.site;
  finding.second_site = event.site;
  finding.second_step = event.step;
  finding.detail = static_cast<std::uint64_t>(kind);
  context_.findings->report(finding);
}

// An initialiser is no call: a lock or a condition variable may live again without our having seen it.
void Misuse::check_alive(const Event& event, Object& object) {
  if (!object.destroyed) return;
  if (event.value == 1 && has_initialiser(event.kind)) {
    object = {};
  } else {
    report(object.freed ? MisuseKind::use_after_free : MisuseKind::use_after_destroy, event,
           object.last, FindingKind::misuse);
  }
}

void Misuse::on_lock(const Event& event) {
  Object* const object = objects_.find_or_make(event.object.value);
  if (object == nullptr) return;
  check_alive(event, *object);
  if (!succeeded(event)) return;
  object->seen_taken = true;
  object->is_lock = true;
  object->last = {event.site, event.thread};
  object->robust = object->robust || event.argument == 1;
  if (takes_shared(event.kind)) {
    ++object->readers;
  } else {
    object->owner = event.thread.value + 1u;
  }
}

void Misuse::on_unlock(const Event& event) {
  Object* const object = objects_.find(event.object.value);
  if (object == nullptr) return;  // may have been taken before we looked
  check_alive(event, *object);
  if (event.result != 0) return;  // a kind of mutex that checks: the program has been told
  const TakenLock* const own = context_.held->find(event.thread, event.object.value);
  const bool not_own = own == nullptr && !context_.held->incomplete(event.thread);
  if (not_own && (object->seen_taken || object->seen_made)) {
    const bool held = object->owner != 0 || object->readers != 0;
    report(held ? MisuseKind::unlock_by_stranger : MisuseKind::unlock_of_unlocked, event,
           object->last, FindingKind::misuse);
  }
  if (own == nullptr || own->count <= 1) object->owner = 0;
  if (own != nullptr && own->mode == LockMode::shared && object->readers > 0) --object->readers;
}

void Misuse::on_wait(const Event& event) {
  Object* const cond = objects_.find_or_make(event.object.value);
  if (cond == nullptr) return;
  Object* const mutex = objects_.find_or_make(event.argument);
  if (event.phase == EventPhase::after) {
    if (cond->waiters > 0) --cond->waiters;
    if (cond->woken > 0 && (event.result == 0 || cond->woken > cond->waiters)) --cond->woken;
    if (mutex != nullptr) mutex->owner = event.thread.value + 1u;
    return;
  }
  check_alive(event, *cond);
  if (cond->waiters > 0 && cond->mutex != event.argument) {
    report(MisuseKind::wait_with_two_mutexes, event, cond->last, FindingKind::misuse);
  }
  ++cond->waiters;
  cond->mutex = event.argument;
  cond->last = {event.site, event.thread};
  // Who waits holds the mutex at this moment: that nobody was ever seen to take it is no excuse.
  if (mutex != nullptr && !context_.held->incomplete(event.thread) &&
      context_.held->find(event.thread, event.argument) == nullptr) {
    report(MisuseKind::wait_without_mutex, event, mutex->last, FindingKind::misuse);
  }
  if (mutex != nullptr) mutex->owner = 0;
}

// POSIX lets a condition variable be destroyed as soon as everybody who waited for it has been told to leave.
void Misuse::on_wake(const Event& event) {
  Object* const cond = objects_.find(event.object.value);
  if (cond == nullptr) return;
  check_alive(event, *cond);
  if (event.kind == EventKind::cond_broadcast) {
    cond->woken = cond->waiters;
  } else if (cond->woken < cond->waiters) {
    ++cond->woken;
  }
}

void Misuse::on_destroy(const Event& event) {
  Object* const object = objects_.find_or_make(event.object.value);
  if (object == nullptr) return;
  check_alive(event, *object);
  if (object->owner != 0 || object->readers != 0) {
    report(MisuseKind::destroy_while_held, event, object->last, FindingKind::misuse);
  }
  if (object->waiters > object->woken) {
    report(MisuseKind::destroy_while_waited_for, event, object->last, FindingKind::misuse);
  }
  if (event.result != 0) return;
  *object = {};
  object->destroyed = true;
  object->last = {event.site, event.thread};
}

// A mutex need not be destroyed by a call: std::mutex never is. Of another thread that still holds it, the unlock will tell.
void Misuse::on_freed(const Event& event) {
  objects_.for_range(event.object.value, event.argument, [&](Object& object) {
    if (object.destroyed) return;
    const Place taken = object.last;
    const bool held = object.owner == event.thread.value + 1u;
    object = {};
    if (held) return report(MisuseKind::freed_while_held, event, taken, FindingKind::misuse);
    object.destroyed = true;
    object.freed = true;
    object.last = {event.site, event.thread};
  });
}

void Misuse::on_thread(const Event& event) {
  if (event.argument >= kMaxThreads) return;
  const auto id = static_cast<std::uint32_t>(event.argument);
  Thread& thread = threads_[id];
  if (id >= thread_count_) thread_count_ = id + 1;
  switch (event.kind) {
    case EventKind::thread_create:
      thread = {};
      thread.exists = true;
      thread.created = {event.site, event.thread};
      thread.detached = event.value == 1;
      break;
    case EventKind::thread_exit:
      thread.ended = true;
      for (const TakenLock& held : context_.held->of(event.thread)) {
        const Object* const object = objects_.find(held.lock);
        if (object != nullptr && object->robust) continue;
        report(MisuseKind::held_at_thread_exit, event, {held.site, event.thread},
               FindingKind::misuse);
      }
      break;
    case EventKind::thread_join:
      if (thread.joined) {
        report(MisuseKind::double_join, event, thread.created, FindingKind::misuse);
      } else if (thread.detached) {
        report(MisuseKind::join_of_detached, event, thread.created, FindingKind::misuse);
      } else if (event.result == 0) {
        thread.joined = true;
      }
      break;
    case EventKind::thread_detach:
      thread.detached = true;
      break;
    default:
      break;
  }
}

void Misuse::on(const Event& event) {
  const EventKind kind = event.kind;
  if (kind == EventKind::freed && event.phase == EventPhase::after) return on_freed(event);
  if (is_plain_access(kind) || is_atomic(kind)) return;
  if (takes_mutex(kind) || takes_shared(kind) || takes_exclusive(kind)) {
    on_lock(event);
  } else if (gives_mutex(kind) || kind == EventKind::rwlock_unlock) {
    on_unlock(event);
  } else if (is_wait(kind)) {
    on_wait(event);
  } else if (kind == EventKind::cond_signal || kind == EventKind::cond_broadcast) {
    on_wake(event);
  } else if (destroys(kind)) {
    on_destroy(event);
  } else if (initialises(kind)) {
    if (Object* const object = objects_.find_or_make(event.object.value)) {
      *object = {};
      object->seen_made = true;
    }
  } else if (uses(kind)) {
    // Who leaves a barrier may be seen to do so when another has destroyed it, which waited for that.
    if (kind == EventKind::barrier_wait && event.phase == EventPhase::after) return;
    if (Object* const object = objects_.find(event.object.value)) check_alive(event, *object);
  } else if (kind == EventKind::allocate) {
    objects_.for_range(event.object.value, event.argument, [](Object& object) { object = {}; });
  } else if (kind >= EventKind::thread_create && kind <= EventKind::thread_detach) {
    on_thread(event);
  }
}

void Misuse::end_run() {
  for (std::uint32_t i = 0; i < thread_count_; ++i) {
    const Thread& thread = threads_[i];
    if (!thread.exists || !thread.ended || thread.joined || thread.detached) continue;
    Event event{};
    event.kind = EventKind::thread_create;
    event.thread = thread.created.thread;
    event.site = thread.created.site;
    report(MisuseKind::thread_not_joined, event, {SiteId{0}, event.thread}, FindingKind::leak);
  }
}

}  // namespace heddle
