#include "runtime/controlled/classification.h"

#include <sys/mman.h>

#include "runtime/controlled/engine.h"
#include "runtime/controlled/order.h"
#include "runtime/controlled/threads.h"
#include "runtime/detection.h"
#include "runtime/fast/fast_state.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/syscall.h"

namespace heddle::controlled {

namespace {

constexpr std::uint64_t kAddressBits = 47;
constexpr std::uint64_t kCells = std::uint64_t{1} << (kAddressBits - 3);
constexpr std::size_t kMostPhases = 0x7ff0;

struct Phase {
  std::uint16_t thread;
  std::uint16_t reserved;
  std::uint32_t tick;
};

std::uint16_t* g_map;    // reserved before the fork
std::uint16_t* g_cells;  // null: not classifying
Phase g_phases[kMostPhases];
std::size_t g_phase_count;

std::uint16_t* cell_of(std::uint64_t address) { return &g_cells[(address >> 3) & (kCells - 1)]; }

void learn(std::uint64_t address) {
  ControlBlock& control = *g_engine.control;
  RunOutcome& outcome = control.outcome;
  const ObjectId object = runtime::object_of(reinterpret_cast<void*>(address & ~std::uint64_t{7}));
  if (outcome.point_count >= kPointCapacity) return;
  control.points[outcome.point_count] = object;
  outcome.point_count = outcome.point_count + 1;
}

// A cell holds one access. Where a read takes the place of a write that is ordered before it, others need not be ordered after
// that write: a thread that publishes, writes and reads again itself would hide the write for ever. The latest such writes.
struct HiddenWrite {
  std::uint64_t address;
  std::uint64_t cell;
};
constexpr std::size_t kHiddenWrites = 512;
HiddenWrite g_hidden[kHiddenWrites];

HiddenWrite& hidden_at(std::uint64_t address) { return g_hidden[(address >> 3) % kHiddenWrites]; }

// Forgets everything but what races, in the order in which it was learned.
void start_over() {
  runtime::raw_syscall(SYS_madvise, reinterpret_cast<long>(g_cells),
                       static_cast<long>(kCells * sizeof(std::uint16_t)), MADV_DONTNEED);
  g_phase_count = 1;
  for (HiddenWrite& hidden : g_hidden) hidden = {};
  for (std::uint32_t i = 0; i < g_engine.control->outcome.point_count; ++i) {
    if (const std::uint64_t address = runtime::address_of(g_engine.control->points[i]);
        address != 0) {
      *cell_of(address) = kRacing;
    }
  }
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) g_engine.tasks[i].phase = 0;
}

// What the stub compares cells with. A race detector and a trace must see every access: a cell is about eight bytes, and
// another variable may be among them. No phase has this number, nor is it one of the marks.
std::uint16_t fast_owner(const Task& task) {
  constexpr std::uint16_t kNobody = 0xfff1;
  const bool traced = (g_engine.control->plan.flags & kPlanStacks) != 0;
  return runtime::g_detecting_memory || traced ? kNobody : task.phase;
}

bool ordered_before(const Phase& phase, const Task& task) {
  return phase.thread == task.id.value || phase.tick <= tick_of(clock_of(task), phase.thread);
}

bool races_with_hidden(std::uint64_t address, const Task& task) {
  const HiddenWrite& hidden = hidden_at(address);
  return hidden.address == address && !ordered_before(g_phases[hidden.cell >> 1], task);
}

bool cell_is_point(Task& task, std::uint64_t address, bool writes) {
  std::uint16_t& cell = *cell_of(address);
  if (cell == kRacing) return true;
  const std::uint16_t own = task.phase;
  if (cell == kVirgin) {
    cell = writes ? own : static_cast<std::uint16_t>(own & ~1u);
    return false;
  }
  const bool was_written = cell != kReadShared && (cell & 1) != 0;
  const bool hidden_race = !was_written && races_with_hidden(address, task);
  if (cell == kReadShared) {
    if (!writes && !hidden_race) return false;
  } else {
    if ((cell | 1) == own) {
      if (writes) cell = own;  // a first write after reads of the same phase
      return false;
    }
    if (ordered_before(g_phases[cell >> 1], task) && !hidden_race) {
      if (!writes && was_written) hidden_at(address) = {address, cell};
      cell = writes ? own : static_cast<std::uint16_t>(own & ~1u);
      return false;
    }
    if (!writes && !was_written && !hidden_race) {
      cell = kReadShared;
      return false;
    }
  }
  cell = kRacing;
  learn(address);
  return true;
}

bool
    g_learned_on_heap;  // most programs' shared data is global: then allocation need not look at the list

template <class Each>
void for_learned(ObjectKind kind, Each&& each) {
  const ControlBlock& control = *g_engine.control;
  for (std::uint64_t i = 0; i < control.plan.point_count; ++i) {
    if (object_kind(control.points[i]) == kind) each(control.points[i]);
  }
}

}  // namespace

bool map_cells() {
  // The kernel maps from the top down. What the program maps later, its stacks first, belongs beside its libraries, as without
  // us: below 32 TB of cells each run would need more page tables.
  constexpr std::size_t kSize = kCells * sizeof(std::uint16_t);
  constexpr std::size_t kRoomAbove = std::size_t{512} << 20;
  if (g_map != nullptr) return true;
  g_map = static_cast<std::uint16_t*>(runtime::map_memory(kSize + kRoomAbove));
  if (g_map == nullptr) return false;
  runtime::raw_syscall(SYS_munmap, reinterpret_cast<long>(g_map) + static_cast<long>(kSize),
                       kRoomAbove);
  return true;
}

bool begin_classification() {
  if (!map_cells()) return false;
  g_cells = g_map;
  g_phase_count = 1;
  g_learned_on_heap = false;
  for_learned(ObjectKind::heap, [](ObjectId) { g_learned_on_heap = true; });
  for_learned(ObjectKind::global, [](ObjectId object) {
    if (const std::uint64_t address = runtime::address_of(object)) *cell_of(address) = kRacing;
  });
  for_learned(ObjectKind::other,
              [](ObjectId object) { *cell_of(object.value & 0x0fff'ffff'ffff'ffffULL) = kRacing; });
  return true;
}

void begin_phase(Task& task) {
  if (g_cells == nullptr) return;
  if (g_phase_count == kMostPhases) start_over();
  const std::size_t number = g_phase_count++;
  g_phases[number] = {task.id.value, 0, clock_of(task).ticks[task.id.value]};
  task.phase = static_cast<std::uint16_t>(number << 1 | 1);
  if (task.thread == &runtime::self()) heddle_fast_state_v3.owner = fast_owner(task);
}

std::uint16_t phase_of(const Task& task) { return task.phase; }

void refresh_phase(Task& self) {
  if (g_cells == nullptr) return;
  if (self.phase == 0) begin_phase(self);
  heddle_fast_state_v3.owner = fast_owner(self);
}

void watch_accesses(Task& self) {
  if (runtime::g_level != Level::memory) return;
  if (self.phase == 0) begin_phase(self);
  runtime::FastState& fast = heddle_fast_state_v3;
  if (g_cells != nullptr) {
    fast.shadow_base = g_cells;
    fast.shadow_mask = kCells - 1;
    fast.owner = fast_owner(self);
  }
  fast.skip = -1;
}

bool is_point(Task& task, const void* address, std::size_t size, bool writes, bool) {
  if (g_cells == nullptr) return true;
  if (task.phase == 0) begin_phase(task);
  heddle_fast_state_v3.owner = fast_owner(task);
  const auto first = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t last = first + (size == 0 ? 0 : size - 1);
  bool point = false;
  for (std::uint64_t at = first & ~std::uint64_t{7}; at <= last; at += 8) {
    point = cell_is_point(task, at, writes) || point;
  }
  return point;
}

void reset_cells(const void* start, std::size_t size) {
  if (g_cells == nullptr || size == 0) return;
  const auto first = reinterpret_cast<std::uint64_t>(start) & ~std::uint64_t{7};
  const std::uint64_t cells = (reinterpret_cast<std::uint64_t>(start) + size - first + 7) / 8;
  std::uint16_t* const begin = cell_of(first);
  constexpr std::uint64_t kByHand = 16384;
  if (cells <= kByHand) {
    for (std::uint64_t i = 0; i < cells; ++i) begin[i] = kVirgin;
    return;
  }
  // Whole pages go back to the kernel; the ends by hand.
  const auto from = (reinterpret_cast<std::uint64_t>(begin) + 4095) & ~std::uint64_t{4095};
  const auto to = reinterpret_cast<std::uint64_t>(begin + cells) & ~std::uint64_t{4095};
  for (auto* cell = begin; reinterpret_cast<std::uint64_t>(cell) < from; ++cell) *cell = kVirgin;
  for (auto* cell = reinterpret_cast<std::uint16_t*>(to); cell < begin + cells; ++cell)
    *cell = kVirgin;
  runtime::raw_syscall(SYS_madvise, static_cast<long>(from), static_cast<long>(to - from),
                       MADV_DONTNEED);
}

void mark_learned_in_block(const void* block, std::size_t size) {
  if (g_cells == nullptr || !g_learned_on_heap) return;
  const runtime::HeapBlock* const known = runtime::find_block(block);
  if (known == nullptr) return;
  for_learned(ObjectKind::heap, [&](ObjectId object) {
    if (object.value >> 24 != make_heap(known->hash, 0).value >> 24) return;
    const std::uint64_t offset = object.value & 0xff'ffff;
    if (offset < size) *cell_of(known->start + offset) = kRacing;
  });
}

void mark_learned_on_stack(const Task& task) {
  if (g_cells == nullptr) return;
  for_learned(ObjectKind::stack, [&](ObjectId object) {
    if (((object.value >> 44) & 0xffff) != task.id.value) return;
    *cell_of(task.thread->stack_top - (object.value & 0xfff'ffff'ffffULL)) = kRacing;
  });
}

}  // namespace heddle::controlled
