// Hand-written event streams for tests: who does what, in the order in which it happens.
#pragma once

#include <sys/mman.h>

#include "analysis/effect.h"
#include "base/arena.h"

namespace heddle::test {

inline void* map_pages(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

// Sink has on(const Event&). Sites are numbered by the caller; 0 lets the feed number them by step.
template <class Sink>
class Feed {
 public:
  explicit Feed(Sink& sink) : sink_(sink) {}

  void send(Event event) {
    event.step = ++step_;
    if (event.site.value == 0) event.site = SiteId{1000 + step_};
    sink_.on(event);
  }

  static Event make(unsigned thread, EventKind kind, std::uint64_t object) {
    Event event{};
    event.thread = ThreadId{static_cast<std::uint16_t>(thread)};
    event.kind = kind;
    event.object = ObjectId{object};
    event.order = MemoryOrder::none;
    event.phase = EventPhase::after;
    return event;
  }

  void access(unsigned thread, EventKind kind, std::uint64_t object, unsigned size = 4,
              std::uint64_t site = 0) {
    Event event = make(thread, kind, object);
    event.size = static_cast<std::uint8_t>(size);
    event.argument = size;
    event.site = SiteId{site};
    send(event);
  }
  void read(unsigned thread, std::uint64_t object, unsigned size = 4, std::uint64_t site = 0) {
    access(thread, EventKind::read, object, size, site);
  }
  void write(unsigned thread, std::uint64_t object, unsigned size = 4, std::uint64_t site = 0) {
    access(thread, EventKind::write, object, size, site);
  }
  void announce(unsigned thread, EventKind kind, std::uint64_t object) {
    Event event = make(thread, kind, object);
    event.phase = EventPhase::before;
    event.size = 4;
    event.argument = 4;
    send(event);
  }
  void sync(unsigned thread, EventKind kind, std::uint64_t object, int result = 0) {
    Event event = make(thread, kind, object);
    event.result = static_cast<std::int16_t>(result);
    send(event);
  }
  void lock(unsigned thread, std::uint64_t object) { sync(thread, EventKind::mutex_lock, object); }
  void unlock(unsigned thread, std::uint64_t object) {
    sync(thread, EventKind::mutex_unlock, object);
  }
  void phased(unsigned thread, EventKind kind, std::uint64_t object, EventPhase phase,
              std::uint64_t argument = 0, std::uint64_t value = 0) {
    Event event = make(thread, kind, object);
    event.phase = phase;
    event.argument = argument;
    event.value = value;
    send(event);
  }
  void wait_begins(unsigned thread, std::uint64_t cond, std::uint64_t mutex) {
    phased(thread, EventKind::cond_wait, cond, EventPhase::before, mutex);
  }
  void wait_ends(unsigned thread, std::uint64_t cond, std::uint64_t mutex, int result = 0) {
    Event event = make(thread, EventKind::cond_wait, cond);
    event.argument = mutex;
    event.result = static_cast<std::int16_t>(result);
    send(event);
  }
  void atomic(unsigned thread, EventKind kind, std::uint64_t object, MemoryOrder order,
              int result = 0) {
    Event event = make(thread, kind, object);
    event.size = 4;
    event.order = order;
    event.result = static_cast<std::int16_t>(result);
    send(event);
  }
  void load(unsigned thread, std::uint64_t object, MemoryOrder order) {
    atomic(thread, EventKind::atomic_load, object, order);
  }
  void store(unsigned thread, std::uint64_t object, MemoryOrder order) {
    atomic(thread, EventKind::atomic_store, object, order);
  }
  void rmw(unsigned thread, std::uint64_t object, MemoryOrder order) {
    atomic(thread, EventKind::atomic_rmw, object, order);
  }
  void fence(unsigned thread, MemoryOrder order) {
    atomic(thread, EventKind::atomic_fence, 0, order);
  }
  void about_thread(unsigned thread, EventKind kind, unsigned other, int result = 0) {
    Event event = make(thread, kind, 0);
    event.argument = other;
    event.result = static_cast<std::int16_t>(result);
    send(event);
  }
  void create(unsigned thread, unsigned child) {
    about_thread(thread, EventKind::thread_create, child);
    about_thread(child, EventKind::thread_start, child);
  }
  void exit(unsigned thread) { about_thread(thread, EventKind::thread_exit, thread); }
  void join(unsigned thread, unsigned child) {
    about_thread(thread, EventKind::thread_join, child);
  }
  void block(unsigned thread, EventKind kind, std::uint64_t start, std::uint64_t size) {
    Event event = make(thread, kind, start);
    event.argument = size;
    send(event);
  }
  void allocate(unsigned thread, std::uint64_t start, std::uint64_t size) {
    block(thread, EventKind::allocate, start, size);
  }
  void free(unsigned thread, std::uint64_t start, std::uint64_t size) {
    block(thread, EventKind::freed, start, size);
  }

 private:
  Sink& sink_;
  std::uint64_t step_ = 0;
};

}  // namespace heddle::test
