#include "runtime/context.h"

#include "base/hash.h"
#include "base/key_map.h"
#include "base/spin_lock.h"
#include "runtime/call_stack.h"
#include "runtime/fast/fast_state.h"

namespace heddle::runtime {

namespace {

constexpr std::size_t kMostContexts = 0xffff;
constexpr std::size_t kBuckets = std::size_t{1} << 14;

constinit Arena g_arena;
constinit SpinLock
    g_lock;  // to add; who looks needs none: a context is whole before its number is seen
Context* g_contexts[kMostContexts + 1];
std::size_t g_count = 0;
ContextNumber g_buckets[kBuckets];
constinit KeyMap<ContextNumber> g_blocks;
ContextNumber g_created[kMaxThreads];

// What the thread was found in the last time, and before that: mostly it is in one of them still (with a lock, without it).
constinit thread_local ContextNumber t_last = 0;
constinit thread_local ContextNumber t_before = 0;

// A lock that was taken in one context, which led to another: mostly the same again.
struct Step {
  std::uint64_t lock;
  SiteId site;  // in the context outside
  ContextNumber inside;
};
constexpr std::size_t kSteps = 4;
constinit thread_local Step t_steps[kSteps] = {};
Step& step_of(std::uint64_t lock) { return t_steps[(lock >> 3 ^ lock >> 6) % kSteps]; }

struct Frames {
  void** top;  // one past the innermost
  std::size_t count;
};

Frames frames_now() {
  void** const base = call_stack().base;
  void** const top = heddle_fast_state_v6.stack_top;
  if (base == nullptr || top <= base) return {top, 0};
  const auto depth = static_cast<std::size_t>(top - base);
  return {top, depth < Context::kFrames ? depth : Context::kFrames};
}

bool same(const Context& context, const Frames& frames, const LockStacks::Stack& held,
          std::size_t locks) {
  if (context.frame_count != frames.count || context.lock_count != locks) return false;
  for (std::size_t i = 0; i < frames.count; ++i) {
    if (context.frames[i] != frames.top[-1 - static_cast<std::ptrdiff_t>(i)]) return false;
  }
  for (std::size_t i = 0; i < locks; ++i) {
    const TakenLock& lock = held[held.size() - 1 - i];
    if (context.locks[i] != lock.lock || context.lock_sites[i] != lock.site) return false;
  }
  return true;
}

std::uint32_t hash_of(const Frames& frames, const LockStacks::Stack& held, std::size_t locks) {
  std::uint64_t hash = frames.count;
  for (std::size_t i = 0; i < frames.count; ++i) {
    hash = combine(hash, reinterpret_cast<std::uint64_t>(frames.top[-1 - static_cast<int>(i)]));
  }
  for (std::size_t i = 0; i < locks; ++i) hash = combine(hash, held[held.size() - 1 - i].lock);
  return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

}  // namespace

void begin_contexts(Arena::Map map, std::uint64_t memory) {
  g_arena.begin_run(map, memory);
  g_blocks.begin_run(g_arena);
  g_count = 0;
  for (ContextNumber& bucket : g_buckets) bucket = 0;
  for (ContextNumber& created : g_created) created = 0;
}

namespace {

struct Wanted {
  Frames frames;
  const LockStacks::Stack& held;
  std::size_t locks;
  std::uint32_t hash;
};

ContextNumber find(const ContextNumber& bucket, const Wanted& wanted) {
  for (ContextNumber at = __atomic_load_n(&bucket, __ATOMIC_ACQUIRE); at != 0;) {
    const Context& known = *g_contexts[at];
    if (known.hash == wanted.hash && same(known, wanted.frames, wanted.held, wanted.locks)) {
      return at;
    }
    at = known.next;
  }
  return 0;
}

ContextNumber add(ContextNumber& bucket, const Wanted& wanted) {
  const SpinGuard guard(g_lock);
  if (const ContextNumber known = find(bucket, wanted)) return known;
  if (g_count == kMostContexts) return 0;
  auto* const fresh = g_arena.make<Context>();
  if (fresh == nullptr) return 0;
  for (std::size_t i = 0; i < wanted.frames.count; ++i) {
    fresh->frames[i] = wanted.frames.top[-1 - static_cast<std::ptrdiff_t>(i)];
  }
  for (std::size_t i = 0; i < wanted.locks; ++i) {
    const TakenLock& lock = wanted.held[wanted.held.size() - 1 - i];
    fresh->locks[i] = lock.lock;
    fresh->lock_sites[i] = lock.site;
    if (lock.mode == LockMode::shared) fresh->shared_locks |= static_cast<std::uint16_t>(1u << i);
  }
  fresh->frame_count = static_cast<std::uint8_t>(wanted.frames.count);
  fresh->lock_count = static_cast<std::uint8_t>(wanted.locks);
  fresh->hash = wanted.hash;
  fresh->next = bucket;
  g_contexts[++g_count] = fresh;
  const auto number = static_cast<ContextNumber>(g_count);
  __atomic_store_n(&bucket, number, __ATOMIC_RELEASE);
  return number;
}

}  // namespace

namespace {

ContextNumber look_up(const Frames& frames, const LockStacks::Stack& held) {
  const std::size_t locks = held.size() < Context::kLocks ? held.size() : Context::kLocks;
  const auto is_in = [&](ContextNumber number) {
    return number != 0 && same(*g_contexts[number], frames, held, locks);
  };
  if (is_in(t_last)) return t_last;
  const ContextNumber before = t_before;
  t_before = t_last;
  if (is_in(before)) return before;
  const Wanted wanted{frames, held, locks, hash_of(frames, held, locks)};
  ContextNumber& bucket = g_buckets[wanted.hash & (kBuckets - 1)];
  const ContextNumber known = find(bucket, wanted);
  return known != 0 ? known : add(bucket, wanted);
}

}  // namespace

ContextNumber context_now(const LockStacks::Stack& held) {
  FastState& fast = heddle_fast_state_v6;
  fast.stack_low = fast.stack_top;
  fast.context_top = fast.stack_top;
  t_last = look_up(frames_now(), held);
  fast.context_site = kToFind | std::uint64_t{t_last} << kContextShift;
  return t_last;
}

void lock_added(const LockStacks::Stack& held, std::uint64_t lock, SiteId site) {
  Step& step = step_of(lock);
  if (step.lock == lock && step.site == site) {
    heddle_fast_state_v6.context_site = kToFind | std::uint64_t{step.inside} << kContextShift;
    return;
  }
  const ContextNumber inside = context_now(held);
  // A context that does not say all may have been come to in other ways.
  const bool whole = context_of(site.value) != 0 && inside != 0 && held.size() < Context::kLocks;
  if (whole) step = {lock, site, inside};
}

void lock_removed(std::uint64_t lock) {
  FastState& fast = heddle_fast_state_v6;
  const Step& step = step_of(lock);
  const bool same = step.lock == lock && in_same_context() &&
                    context_of(fast.context_site) == step.inside && step.inside != 0;
  if (!same) return locks_changed();
  fast.context_site = kToFind | std::uint64_t{context_of(step.site.value)} << kContextShift;
}

const Context* find_context(ContextNumber number) {
  return number == 0 ? nullptr : g_contexts[number];
}

void note_block_context(const void* block, ContextNumber context) {
  const SpinGuard guard(g_lock);
  ContextNumber* const kept = g_blocks.find_or_make(reinterpret_cast<std::uint64_t>(block));
  if (kept != nullptr) *kept = context;
}

ContextNumber block_context(const void* block) {
  const SpinGuard guard(g_lock);
  const ContextNumber* const kept = g_blocks.find(reinterpret_cast<std::uint64_t>(block));
  return kept == nullptr ? ContextNumber{0} : *kept;
}

void note_creation_context(ThreadId thread, ContextNumber context) {
  if (thread.value < kMaxThreads) g_created[thread.value] = context;
}

ContextNumber creation_context(ThreadId thread) {
  return thread.value < kMaxThreads ? g_created[thread.value] : ContextNumber{0};
}

}  // namespace heddle::runtime
