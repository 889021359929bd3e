// Who is ordered before whom: C++'s happens-before (with consume as acquire, and sequential consistency as
// acquire-release: a total order of seq_cst operations orders no plain access that these do not), and POSIX's
// guarantees for its primitives. The order is that of the run at hand.
//
// A thread's tick grows when it releases; an access is known by (thread, tick). Release sequences follow C++20: a
// store begins a new one, a read-modify-write continues the one it reads from. Fences are as [atomics.fences] says: a
// release fence lends its clock to later relaxed stores, an acquire fence collects what earlier relaxed loads saw.
//
// Where memory ends, order is over-estimated: races may be missed then, none is invented.
//
// Threads may show their events at the same time. A thread's clock is its own: it is asked for by nobody else, written by its
// creator before it runs and read by who joins it when it is over. Objects are shared and have locks, which callers need not
// know of but for one thing: where threads run in parallel, an atomic operation and its event must be one step, so it is not
// shown as an event but with hold().
#pragma once

#include <cstdint>

#include "analysis/effect.h"
#include "analysis/vector_clock.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/key_map.h"
#include "base/per_thread.h"
#include "base/spin_lock.h"
#include "contract/control_block.h"

namespace heddle {

class HappensBefore {
 public:
  constexpr HappensBefore() = default;

  void begin_run(Arena& arena);

  // The thread's first tick. Events begin their thread by themselves.
  void begin(ThreadId thread) {
    if (tick(thread) == 0) must(set_tick(*arena_, threads_[thread.value].clock, thread.value, 1));
  }

  // What the event learns from others, before detectors look at it; and what it tells others, after they have.
  void acquire_side(const Event& event);
  void release_side(const Event& event);

  // What an acquiring and a releasing operation on an object do, for callers that know nothing else of them and have begun the
  // thread.
  void learn_from(ThreadId thread, std::uint64_t key);
  void tell(ThreadId thread, std::uint64_t key);

  // An atomic operation where others may show theirs at the same time: hold(), the operation, loaded() if it reads,
  // stored() if it writes, let_go().
  struct alignas(64) Object {  // nothing that callers look into
    VersionLock lock;
    std::uint32_t round;  // of a barrier
    // Of a reader-writer lock: who holds it exclusively, plus one; of a robust mutex: who held it last.
    std::uint16_t writer;
    bool shared;           // by all objects that found no place: what one tells stays
    VectorClock released;  // what an acquirer learns; of a barrier: those who leave
    std::uint32_t few[8];  // its ticks, while these suffice
    // Of a reader-writer lock: what readers gave back; of a barrier: those who arrive.
    VectorClock second;
  };
  Object& hold(ThreadId thread, std::uint64_t key) {
    note_held(key);
    Object& held = *come_to(thread, key).object;
    held.lock.lock();
    return held;
  }
  // The same where one thread runs at a time.
  Object& hold_alone(ThreadId thread, std::uint64_t key) {
    note_held(key);
    Object& held = *come_to(thread, key).object;
    held.lock.lock_alone();
    return held;
  }
  void loaded(ThreadId thread, const Object& object, MemoryOrder order) {
    const bool known =
        acquires(order) && threads_.known(thread.value).at->version == object.lock.version_before();
    if (!known) learn_news(thread, object, order);
  }
  // False: the object tells what it told before.
  bool stored(ThreadId thread, Object& object, EventKind kind, MemoryOrder order) {
    if (!releases(order)) return stored_without_release(thread, object, kind);
    publish(thread.value, *threads_.known(thread.value).at,
            kind == EventKind::atomic_store && !object.shared);
    advance(thread.value);
    return true;
  }
  static void let_go(Object& object) { object.lock.unlock(); }
  // Instead, where nothing was stored, or that changed nothing.
  static void let_go_unchanged(Object& object) { object.lock.unlock_unchanged(); }

  // Instead, for a load: before it, and after it. False: to be done again, and held. Most find nothing that is news.
  struct Reading {
    const Object* object;
    std::uint64_t version;
  };
  Reading begin_load(ThreadId thread, std::uint64_t key) {
    note_held(key);
    const Object& from = *come_to(thread, key).object;
    return {&from, from.lock.version()};
  }
  [[nodiscard]] bool end_load(ThreadId thread, const Reading& reading, MemoryOrder order) {
    const bool known =
        acquires(order) && threads_.known(thread.value).at->version == reading.version;
    return known ? reading.object->lock.is_still(reading.version)
                 : end_unknown_load(thread, reading, order);
  }

  // Instead, for an operation that tells nobody anything: if is_silent() before it, it may be done alone, and shown by this
  // afterwards. Whoever tells something there holds the object before the value can be seen.
  bool is_silent(ThreadId thread, std::uint64_t key, MemoryOrder order) const {
    return order == MemoryOrder::relaxed && threads_[thread.value].fence_release.size == 0 &&
           !was_held(key);
  }
  void done_silently(ThreadId thread, std::uint64_t key, EventKind kind) {
    if (kind == EventKind::atomic_store || !was_held(key)) return;
    Object& object = hold(thread, key);
    loaded(thread, object, MemoryOrder::relaxed);
    let_go_unchanged(object);
  }

  std::uint32_t tick(ThreadId thread) const {
    return tick_of(threads_[thread.value].clock, thread.value);
  }
  const VectorClock& clock(ThreadId thread) const { return threads_[thread.value].clock; }
  bool ordered(ThreadId before, std::uint32_t tick, ThreadId now) const {
    return before == now || blind() || tick <= tick_of(threads_[now.value].clock, before.value);
  }
  // Memory ended in a way that makes every answer "ordered".
  bool blind() const { return __atomic_load_n(&blind_, __ATOMIC_RELAXED); }

 private:
  // An object that a thread used lately.
  struct Recent {
    static constexpr std::uint64_t kNever = ~std::uint64_t{0};
    std::uint64_t key;
    Object* object;
    // All that the object told at this version, the thread knows.
    std::uint64_t version;
    // And it was the thread that told it, having learned so many times: nothing else is there. kNever: it was another one.
    std::uint64_t learned;

    void knows(std::uint64_t now) {
      version = now;
      learned = kNever;
    }
  };
  struct alignas(64) ThreadOrder {
    VectorClock clock;
    std::uint64_t learned;      // how many times something was
    Recent* at;                 // what it is at now
    VectorClock fence_acquire;  // from relaxed loads, for the next acquire fence
    VectorClock fence_release;  // by the last release fence, for relaxed stores
    std::uint32_t barrier_round;
    // By address: a thread mostly comes back to the same ones. Neighbours have different places, and so have neighbours among what
    // has a cache line of its own.
    static constexpr std::size_t kRecent = 8;
    static std::size_t recent_of(std::uint64_t key) { return ((key >> 3) + (key >> 6)) % kRecent; }
    Recent recent[kRecent];
  };

  // Objects by the hash of their address. The lock is for the map; each object has one of its own.
  struct Shard {
    SpinLock lock;
    KeyMap<Object> objects;
    Object overflow = {};  // of all objects that found no place
  };
  static constexpr std::size_t kShards = 16;

  Shard& shard_of(std::uint64_t key) { return shards_[mix64(key) >> 32 & (kShards - 1)]; }
  // Its object is made if there was none; the shard's `overflow` if there is no memory.
  Recent& come_to(ThreadId thread, std::uint64_t key) {
    ThreadOrder& own = threads_.known(thread.value);
    Recent& recent = own.recent[ThreadOrder::recent_of(key)];
    own.at = &recent;
    if (recent.key != key || recent.object == nullptr) look_up(recent, key);
    return recent;
  }
  void look_up(Recent& recent, std::uint64_t key);
  Object& object(ThreadId thread, std::uint64_t key) { return *come_to(thread, key).object; }
  bool end_unknown_load(ThreadId thread, const Reading& reading, MemoryOrder order);
  void learn_news(ThreadId thread, const Object& object, MemoryOrder order);
  bool stored_without_release(ThreadId thread, Object& object, EventKind kind);
  // To the object that it holds, which `replaces` what that told before, if that is news to the thread. Mostly nothing else is
  // there than the thread itself told, and its own tick is all that is new.
  void publish(std::uint16_t thread, Recent& recent, bool replaces) {
    const ThreadOrder& own = threads_.known(thread);
    Object& object = *recent.object;
    if (recent.version != object.lock.version_before() || recent.learned != own.learned) {
      return publish_all(thread, recent, replaces);
    }
    object.released.ticks[thread] = own.clock.ticks[thread];
    recent.version = object.lock.version_after();
  }
  void publish_all(std::uint16_t thread, Recent& recent, bool replaces);

  void advance(std::uint16_t thread) {
    VectorClock& clock = threads_.known(thread).clock;
    if (thread < clock.size) ++clock.ticks[thread];
  }
  void must(bool stored) {
    if (!stored) [[unlikely]]
      __atomic_store_n(&blind_, true, __ATOMIC_RELAXED);
  }
  void learn(std::uint16_t thread, const VectorClock& from) {
    ThreadOrder& own = threads_[thread];
    ++own.learned;
    must(join(*arena_, own.clock, from));
  }
  void lock_exclusively(const Event& event);
  void lock_robust_mutex(const Event& event);
  void unlock_shared_lock(const Event& event);
  void arrive_at_barrier(const Event& event);
  void leave_barrier(const Event& event);
  void load(const Event& event);
  void store(const Event& event);

  // Which objects were ever held: a bit each, several share one.
  static constexpr unsigned kHeldBits = 12;
  static std::uint64_t held_bit(std::uint64_t key) {
    return key * 0x9e3779b97f4a7c15ULL >> (64 - kHeldBits);
  }
  bool was_held(std::uint64_t key) const {
    const std::uint64_t bit = held_bit(key);
    return (__atomic_load_n(&held_[bit / 64], __ATOMIC_ACQUIRE) >> (bit % 64) & 1) != 0;
  }
  void note_held(std::uint64_t key) {
    const std::uint64_t bit = held_bit(key);
    if (!was_held(key)) {
      __atomic_fetch_or(&held_[bit / 64], std::uint64_t{1} << (bit % 64), __ATOMIC_SEQ_CST);
    }
  }

  Arena* arena_ = nullptr;
  std::uint64_t held_[(std::size_t{1} << kHeldBits) / 64] = {};
  Shard shards_[kShards];
  bool blind_ = false;
  PerThread<ThreadOrder, kMaxThreads> threads_;
};

}  // namespace heddle
