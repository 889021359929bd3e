#include "analysis/transfer_list.h"

namespace heddle {

namespace {

// Objects are addresses or object ids, whose second highest bits are never all set.
constexpr std::uint64_t element(std::uint64_t kind, std::uint64_t thread) {
  return 0xf000'0000'0000'0000ULL | kind << 32 | thread;
}
constexpr std::uint64_t of_thread(std::uint64_t thread) { return element(1, thread); }
constexpr std::uint64_t loads_of(std::uint64_t thread) { return element(2, thread); }
constexpr std::uint64_t stores_of(std::uint64_t thread) { return element(3, thread); }
// Readers give a reader-writer lock back to writers only.
constexpr std::uint64_t readers_of(std::uint64_t lock) { return lock ^ 0x0800'0000'0000'0001ULL; }

// A store begins anew: what was passed to the object before is not to be had from it any more.
constexpr std::uint64_t kNobody = element(4, 0);
void take_away(TransferList::Set& set, std::uint64_t element) {
  for (std::size_t at = set.size(); at > 0; --at) {
    if (set[at - 1] == element) set.erase_at(at - 1);
  }
}

}  // namespace

void TransferList::begin_run(Arena& arena) {
  ring_ = arena.make_array<Transfer>(kLength);
  count_ = 0;
}

void TransferList::add(std::uint64_t from, std::uint64_t to, ThreadId by) {
  if (ring_ == nullptr) return;
  ring_[count_++ % kLength] = {from, to, by};
}

void TransferList::on(const Event& event) {
  const EventKind kind = event.kind;
  if (is_plain_access(kind)) return;
  const ThreadId by = event.thread;
  const std::uint64_t thread = of_thread(by.value);
  const std::uint64_t object = event.object.value;
  const bool before = event.phase == EventPhase::before;
  if (kind == EventKind::atomic_fence) {
    if (acquires(event.order)) add(loads_of(by.value), thread, by);
    if (releases(event.order)) add(thread, stores_of(by.value), by);
  } else if (is_atomic(kind)) {
    if (kind != EventKind::atomic_store) {
      add(object, acquires(event.order) ? thread : loads_of(by.value), by);
    }
    if (kind == EventKind::atomic_store) add(object, kNobody, by);
    if (stores(event)) add(releases(event.order) ? thread : stores_of(by.value), object, by);
  } else if (takes_mutex(kind) || takes_shared(kind) || takes_semaphore(kind)) {
    if (succeeded(event)) add(object, thread, by);
  } else if (takes_exclusive(kind)) {
    if (!succeeded(event)) return;
    add(object, thread, by);
    add(readers_of(object), thread, by);
  } else if (gives_mutex(kind) || kind == EventKind::sem_post) {
    if (event.result == 0) add(thread, object, by);
  } else if (kind == EventKind::rwlock_unlock) {
    if (event.result != 0) return;
    add(thread, event.value == 1 ? readers_of(object) : object, by);
  } else if (is_wait(kind)) {
    before ? add(thread, event.argument, by) : add(event.argument, thread, by);
  } else if (kind == EventKind::barrier_wait) {
    before ? add(thread, object, by) : add(object, thread, by);
  } else if (kind == EventKind::once) {
    if (before || event.value == 0) add(object, thread, by);
    if (!before && event.value != 0) add(thread, object, by);
  } else if (kind == EventKind::thread_create) {
    add(thread, of_thread(event.argument), by);
  } else if (kind == EventKind::thread_join) {
    if (event.result == 0) add(of_thread(event.argument), thread, by);
  }
}

TransferList::Answer TransferList::passed(ThreadId owner, std::uint64_t position, ThreadId thread,
                                          bool only_two) const {
  if (ring_ == nullptr || count_ - position > kLength) return Answer::forgotten;
  Set set;
  set.push_back(of_thread(owner.value));
  const std::uint64_t wanted = of_thread(thread.value);
  for (std::uint64_t i = position; i < count_; ++i) {
    const Transfer& transfer = ring_[i % kLength];
    if (transfer.to == kNobody) {
      take_away(set, transfer.from);
      continue;
    }
    if (only_two && transfer.by != owner && transfer.by != thread) continue;
    bool has_from = false;
    bool has_to = false;
    for (const std::uint64_t known : set) {
      has_from = has_from || known == transfer.from;
      has_to = has_to || known == transfer.to;
    }
    if (!has_from || has_to) continue;
    if (transfer.to == wanted) return Answer::passed;
    if (set.full()) return Answer::forgotten;
    set.push_back(transfer.to);
  }
  return Answer::not_passed;
}

TransferList::Answer TransferList::set_now(ThreadId owner, std::uint64_t position, ThreadId thread,
                                           Set& set) const {
  set.clear();
  set.push_back(of_thread(owner.value));
  if (ring_ == nullptr || count_ - position > kLength) return Answer::forgotten;
  for (std::uint64_t i = position; i < count_; ++i) {
    const Transfer& transfer = ring_[i % kLength];
    if (transfer.to == kNobody) {
      take_away(set, transfer.from);
      continue;
    }
    bool has_from = false;
    bool has_to = false;
    for (const std::uint64_t known : set) {
      has_from = has_from || known == transfer.from;
      has_to = has_to || known == transfer.to;
    }
    if (!has_from || has_to) continue;
    if (set.full()) return Answer::forgotten;
    set.push_back(transfer.to);
  }
  for (const std::uint64_t known : set) {
    if (known == of_thread(thread.value)) return Answer::passed;
  }
  return Answer::not_passed;
}

ThreadId TransferList::thread_of(std::uint64_t element) {
  return element >> 32 == of_thread(0) >> 32 ? ThreadId{static_cast<std::uint16_t>(element)}
                                             : kNoThread;
}

bool TransferList::is_auxiliary(std::uint64_t element) {
  if (element >> 60 == 0xf) return thread_of(element) == kNoThread;
  return (element & 0x0800'0000'0000'0000ULL) != 0;
}

}  // namespace heddle
