// Plain accesses, atomics and the heap.
#include "runtime/controlled/classification.h"
#include "runtime/controlled/detect.h"
#include "runtime/controlled/disturb.h"
#include "runtime/controlled/engine.h"
#include "runtime/controlled/operations.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/outside.h"
#include "runtime/controlled/own_state.h"
#include "runtime/controlled/verdict.h"
#include "runtime/fast/fast_state.h"
#include "runtime/identity.h"
#include "runtime/mode.h"

namespace heddle::controlled {

namespace {

template <class T>
std::uint64_t load_as(const void* address) {
  T value;
  __builtin_memcpy(&value, address, sizeof value);
  return value;
}

std::uint64_t peek(const void* address, std::size_t size) {
  if (address == nullptr) return 0;
  if (size >= 8) return load_as<std::uint64_t>(address);
  if (size == 4) return load_as<std::uint32_t>(address);
  if (size == 2) return load_as<std::uint16_t>(address);
  if (size == 1) return load_as<std::uint8_t>(address);
  std::uint64_t value = 0;
  __builtin_memcpy(&value, address, size);
  return value;
}

std::uint64_t poll_key(const Task& task, const void* address, std::uint64_t value) {
  // Only ever compared with others like it: no hash is needed.
  return (task.pending.site.value +
          reinterpret_cast<std::uint64_t>(address) * 0x9e3779b97f4a7c15ULL +
          value * 0xd1342543de82ef95ULL) |
         1;
}

[[gnu::always_inline]] inline void note_look(Task& self, std::uint64_t key, Caller caller) {
  note_poll(self, key, self.polling.may_go_on() ? own_state(*self.thread, caller) : 0);
}

// Of those who look at memory, fasttrack alone needs no event.
bool passes_quietly() { return !runtime::g_detecting_memory || runtime::g_tracking; }

void track_in_passing(Task& self, const runtime::TrackedAccess& access) {
  const runtime::InRuntime inside(*self.thread);
  runtime::track_at(g_engine.step, self.id, access);
}

// Nothing is to be found out about these bytes, which lie in one cell.
bool is_known_to_race(const void* address, std::size_t size) {
  const runtime::FastState& fast = heddle_fast_state_v6;
  const auto at = reinterpret_cast<std::uint64_t>(address);
  return fast.shadow_base != nullptr && (at & 7) + size <= 8 &&
         fast.shadow_base[(at >> 3) & fast.shadow_mask] == kRacing;
}

// All of it was used by this phase of this thread alone, and as it is used now: nobody else could notice (fast/access.h).
bool is_own(const Task& task, const void* address, std::size_t size, bool writes) {
  constexpr std::size_t kMostLookedAt = 64;
  const runtime::FastState& fast = heddle_fast_state_v6;
  if (fast.shadow_base == nullptr || size == 0 || size > kMostLookedAt) return false;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  const unsigned ignored = writes ? 0 : 1;
  for (std::uint64_t at = begin & ~std::uint64_t{7}; at < begin + size; at += 8) {
    if ((fast.shadow_base[(at >> 3) & fast.shadow_mask] | ignored) != task.phase) return false;
  }
  return true;
}

bool everything_is_a_point() { return (g_engine.control->plan.flags & kPlanAllPoints) != 0; }

}  // namespace

// What is a point, or is shown to others than fasttrack.
[[gnu::noinline]] static void stop_at_access(Task& self, const runtime::TrackedAccess& access,
                                             bool point, bool long_stretch, bool own) {
  const bool writes = is_memory_write(access.kind);
  Operation intent{access.kind, access.address, access.caller};
  intent.size = static_cast<std::uint8_t>(access.size > 255 ? 255 : access.size);
  intent.argument = access.size;
  if (!point && !long_stretch && !everything_is_a_point()) {
    ++g_engine.control->outcome.points_skipped;
    // Noise keeps the access open: a detector that looks for overlaps is told of both ends.
    if (runtime::g_detecting_memory && disturbs_in_passing()) {
      detect_access(self, EventPhase::before, intent);
    }
    const bool shown = !own || disturbs_private_accesses();
    if (shown) disturb_in_passing(self, intent, EventPhase::before);
    if (runtime::g_detecting_memory) detect_access(self, EventPhase::after, intent);
    trace_in_passing(self, intent);
    if (shown) disturb_in_passing(self, intent, EventPhase::after);
    return;
  }
  heddle_fast_state_v6.skip = -1;
  const bool quiet = runtime::g_tracking_under_control;
  const bool shown = runtime::g_detecting_memory && !quiet;
  if (shown) detect_access(self, EventPhase::before, intent);
  g_engine.point(self, intent);
  if (shown) detect_access(self, EventPhase::after, intent);
  if (quiet) track_in_passing(self, access);
  const std::uint64_t value = peek(access.address, access.size);
  if (!writes) note_look(self, poll_key(self, access.address, value), access.caller);
  g_engine.commit(self, intent, value, 0, writes);
}

void before_access(const void* address, std::size_t size, EventKind kind, Caller caller) {
  if (runtime::g_level != Level::memory) return;
  Task& self = current();
  const bool long_stretch = heddle_fast_state_v6.skip <= runtime::kLongStretch;
  if (long_stretch) [[unlikely]]
    g_engine.let_time_pass();
  // Asked first: then the cell is changed. Most of these the stub lets pass, but not in a run that is traced.
  const bool own = g_engine.noisy && is_own(self, address, size, is_memory_write(kind));
  const bool point = is_point(self, address, size, is_memory_write(kind));
  const runtime::TrackedAccess access{address, size, kind, caller};
  if (point || long_stretch || !g_engine.passing_is_quiet || !passes_quietly()) {
    return stop_at_access(self, access, point, long_stretch, own);
  }
  ++g_engine.control->outcome.points_skipped;
  if (runtime::g_tracking) track_in_passing(self, access);
}

void before_atomic(const void* address, std::size_t size, EventKind kind, MemoryOrder order,
                   Caller caller) {
  Task& self = current();
  if (runtime::g_level == Level::sync) {
    if (self.asked_to_leave) leave_as_asked(self, caller);
    return;
  }
  if (runtime::g_level == Level::memory && address != nullptr && !everything_is_a_point() &&
      !is_known_to_race(address, size)) {
    // An atomic is a point anyway; its cell tells plain accesses to the same place that they race.
    is_point(self, address, size, is_memory_write(kind));
  }
  Operation intent{kind, address, caller};
  intent.size = static_cast<std::uint8_t>(size);
  intent.order = order;
  g_engine.point(self, intent);
  self.atomic_before = peek(address, size);
  self.atomic_caller = caller;
}

void after_atomic(const void* address, std::size_t size, EventKind kind, MemoryOrder order,
                  std::uint64_t value, bool stored) {
  if (runtime::g_level == Level::sync && !runtime::self().has_control) return;
  Task& self = current();
  if (kind == EventKind::atomic_fence) {
    order_fence(self, order);
  } else {
    order_atomic(self, address, kind, order, stored);
  }
  if (runtime::g_level == Level::sync) return;
  Operation intent{kind, address};
  intent.size = static_cast<std::uint8_t>(size);
  intent.order = order;
  if (runtime::g_detecting) {
    intent.caller = self.atomic_caller;
    detect_atomic(self, intent, value, stored);
    intent.caller = nullptr;
  }
  if (kind == EventKind::atomic_rmw || kind == EventKind::atomic_cas) {
    intent.argument = self.atomic_before;
  }
  const bool changed = stored && peek(address, size) != self.atomic_before;
  if (!changed && address != nullptr) {
    note_look(self, poll_key(self, address, self.atomic_before), self.atomic_caller);
  }
  g_engine.commit(self, intent, value, 0, changed);
}

static void tell_fresh(Task& self, void* block, std::size_t size) {
  reset_cells(block, size);
  mark_learned_in_block(block, size);
  if (runtime::g_detecting_memory) detect_fresh(self, block, size);
}

void allocated(void* block, std::size_t size) {
  runtime::ThreadState& thread = runtime::self();
  auto* const self = static_cast<Task*>(thread.controlled);
  if (runtime::g_level != Level::memory || self == nullptr) return;
  const runtime::InRuntime inside(thread);
  if (!thread.has_control) {
    if (!thread.outside) return;  // a handler on a parked thread
    self->fresh.push_back({block, size});
    if (self->fresh.full()) enter_control();
    return;
  }
  tell_fresh(*self, block, size);
}

void given_back(void* block) {
  const runtime::ThreadState& thread = runtime::self();
  if (!thread.outside) return;
  FixedVector<FreshBlock, 16>& fresh = static_cast<Task*>(thread.controlled)->fresh;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    if (fresh[i].start == block) return fresh.erase_at(i);
  }
}

void tell_fresh_blocks(Task& self) {
  for (const FreshBlock& block : self.fresh) tell_fresh(self, block.start, block.size);
  self.fresh.clear();
}

}  // namespace heddle::controlled
