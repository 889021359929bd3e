#include "runtime/call_stack.h"

#include "runtime/fast/fast_state.h"
#include "runtime/identity.h"
#include "runtime/platform/futex.h"
#include "runtime/platform/memory.h"

namespace heddle::runtime {
namespace {

constexpr std::size_t kFrames = 4096;
// A function that was entered before the stack was kept leaves below its bottom.
constexpr std::size_t kBelow = 256;

constexpr std::size_t kStackSize = (kFrames + kBelow) * sizeof(void*);
constinit thread_local CallStack t_calls{};
constinit thread_local void* t_taken = nullptr;  // by keep_call_stack()
constinit thread_local bool t_ended = false;

// Of threads that have ended.
struct Unused {
  Unused* next;
};
Unused* g_unused = nullptr;
constinit FutexLock g_unused_lock;

void* take_memory() {
  g_unused_lock.lock();
  Unused* const unused = g_unused;
  if (unused != nullptr) g_unused = unused->next;
  g_unused_lock.unlock();
  if (unused != nullptr) return unused;
  return map_memory(kStackSize);
}

}  // namespace

CallStack& call_stack() { return t_calls; }

void keep_call_stack() {
  FastState& fast = heddle_fast_state_v6;
  if (fast.keep_stack != 0) return;  // somebody keeps one already: the engine's for reports
  if (t_ended) return;
  auto** const memory = static_cast<void**>(take_memory());
  if (memory == nullptr) return;
  t_taken = memory;
  keep_call_stack_in(memory, kFrames + kBelow);
}

void keep_call_stack_in(void** memory, std::size_t count) {
  FastState& fast = heddle_fast_state_v6;
  t_calls.base = memory + kBelow;
  t_calls.depth = 0;
  fast.stack_top = t_calls.base;
  fast.stack_limit = memory + count;
  fast.keep_stack = 1;
}

void give_call_stack_back() {
  t_ended = true;
  if (t_taken == nullptr) return;
  FastState& fast = heddle_fast_state_v6;
  fast.keep_stack = 0;
  fast.stack_top = nullptr;
  t_calls = {};
  auto* const unused = static_cast<Unused*>(t_taken);
  t_taken = nullptr;
  g_unused_lock.lock();
  unused->next = g_unused;
  g_unused = unused;
  g_unused_lock.unlock();
}

WatchedCalls watched_calls() { return {&t_calls, &heddle_fast_state_v6.stack_top}; }

OperationCalls calls_of(const WatchedCalls& calls) {
  OperationCalls list{};
  std::size_t kept = 0;
  if (calls.stack == nullptr || calls.stack->base == nullptr) return list;
  for (void** at = *calls.top; at > calls.stack->base && kept < kOperationCalls; --at) {
    const auto call = reinterpret_cast<std::uint64_t>(at[-1]) & ~kShown;
    const SiteId site = site_of(reinterpret_cast<const void*>(call));
    if (site.value != 0) list.sites[kept++] = site;
  }
  return list;
}

std::size_t calls_now(void**& frames) {
  frames = t_calls.base;
  void** const top = heddle_fast_state_v6.stack_top;
  if (top <= frames) return 0;
  const auto depth = static_cast<std::size_t>(top - frames);
  return depth < CallStack::kMostShown ? depth : CallStack::kMostShown;
}

}  // namespace heddle::runtime
