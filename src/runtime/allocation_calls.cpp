#include "runtime/allocation_calls.h"

#include "base/hash.h"
#include "contract/control_block.h"
#include "runtime/call_stack.h"
#include "runtime/fast/fast_state.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/futex.h"

namespace heddle::runtime {
namespace {

// Open addressing by hash; a run begins with an empty table, since a fork copies an empty one.
struct Known {
  std::uint64_t hash;  // 0: free
  std::uint16_t number;
};
constexpr std::size_t kSlots = 2 * kAllocationCallsCapacity;
Known g_known[kSlots];
constinit FutexLock g_lock;

// What the thread was in last: a loop allocates at one place.
constinit thread_local Known t_last{};

std::uint64_t unmarked(const void* frame) {
  return reinterpret_cast<std::uint64_t>(frame) & ~kShown;
}

std::uint16_t keep(std::uint64_t hash, void** top, std::size_t count) {
  std::size_t slot = hash & (kSlots - 1);
  while (g_known[slot].hash != 0 && g_known[slot].hash != hash) slot = (slot + 1) & (kSlots - 1);
  if (g_known[slot].hash == hash) return g_known[slot].number;
  ControlBlock& control = *g_control;
  if (control.allocation_calls_count >= kAllocationCallsCapacity) return 0;
  AllocationCalls& calls = control.allocation_calls[control.allocation_calls_count];
  calls = {};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t call = unmarked(top[-1 - static_cast<std::ptrdiff_t>(i)]);
    const SiteId site = site_of(reinterpret_cast<const void*>(call));
    if (site.value != 0) calls.sites[kept++] = site;
  }
  const auto number = static_cast<std::uint16_t>(++control.allocation_calls_count);
  g_known[slot] = {hash, number};
  return number;
}

}  // namespace

std::uint16_t allocation_calls_now() {
  void** const base = call_stack().base;
  void** const top = heddle_fast_state_v3.stack_top;
  if (base == nullptr || top <= base) return 0;
  const auto depth = static_cast<std::size_t>(top - base);
  const std::size_t count = depth < kAllocationCalls ? depth : kAllocationCalls;
  std::uint64_t hash = count;
  for (std::size_t i = 0; i < count; ++i) {
    hash = combine(hash, unmarked(top[-1 - static_cast<std::ptrdiff_t>(i)]));
  }
  hash |= 1;
  if (t_last.hash == hash) return t_last.number;
  g_lock.lock();
  const std::uint16_t number = keep(hash, top, count);
  g_lock.unlock();
  t_last = {hash, number};
  return number;
}

}  // namespace heddle::runtime
