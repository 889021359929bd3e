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

// What is known lies in the order in which it came, with an index by hash that begins small, and the lock before them: a run
// that knows little writes one page. A run begins with nothing known, since a fork copies that.
constexpr std::size_t kFirstSlots = 256;
constexpr std::size_t kMostSlots = 2 * kAllocationCallsCapacity;
struct alignas(4096) Known {
  FutexLock lock;
  std::uint16_t first_index[kFirstSlots];          // numbers; 0: free
  std::uint64_t hashes[kAllocationCallsCapacity];  // of the entry with the number one higher
  std::uint16_t large_index[kMostSlots];  // in place of the first one when that is half full
};
constinit Known g_known{};
std::uint16_t* g_index = g_known.first_index;
std::size_t g_slots = kFirstSlots;

// What the thread was in last: a loop allocates at one place.
struct Last {
  std::uint64_t hash;
  std::uint16_t number;
};
constinit thread_local Last t_last{};

std::uint16_t& slot_of(std::uint64_t hash) {
  std::size_t slot = (hash >> 1) & (g_slots - 1);  // the lowest bit is always set
  while (g_index[slot] != 0 && g_known.hashes[g_index[slot] - 1] != hash) {
    slot = (slot + 1) & (g_slots - 1);
  }
  return g_index[slot];
}

void enlarge_index() {
  g_index = g_known.large_index;
  g_slots = kMostSlots;
  for (std::uint16_t number = 1; number <= kFirstSlots / 2; ++number) {
    slot_of(g_known.hashes[number - 1]) = number;
  }
}

std::uint64_t unmarked(const void* frame) {
  return reinterpret_cast<std::uint64_t>(frame) & ~kShown;
}

std::uint16_t keep(std::uint64_t hash, void** top, std::size_t count) {
  if (const std::uint16_t known = slot_of(hash)) return known;
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
  g_known.hashes[number - 1] = hash;
  slot_of(hash) = number;
  if (number == kFirstSlots / 2) enlarge_index();
  return number;
}

}  // namespace

std::uint16_t allocation_calls_now() {
  void** const base = call_stack().base;
  void** const top = heddle_fast_state_v6.stack_top;
  if (base == nullptr || top <= base) return 0;
  const auto depth = static_cast<std::size_t>(top - base);
  const std::size_t count = depth < kAllocationCalls ? depth : kAllocationCalls;
  std::uint64_t hash = count;
  for (std::size_t i = 0; i < count; ++i) {
    hash = combine(hash, unmarked(top[-1 - static_cast<std::ptrdiff_t>(i)]));
  }
  hash |= 1;
  if (t_last.hash == hash) return t_last.number;
  g_known.lock.lock();
  const std::uint16_t number = keep(hash, top, count);
  g_known.lock.unlock();
  t_last = {hash, number};
  return number;
}

}  // namespace heddle::runtime
