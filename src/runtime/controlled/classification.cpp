#include "runtime/controlled/classification.h"

#include <sys/mman.h>

#include "runtime/controlled/disturb.h"
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

// A cell holds one access. Where a read takes the place of a write that is ordered before it, others need not be ordered after
// that write: a thread that publishes, writes and reads again itself would hide the write for ever. The latest such writes.
struct HiddenWrite {
  std::uint64_t address;
  std::uint64_t cell;
};
constexpr std::size_t kHiddenWrites = 512;

constexpr std::size_t kFewPages = 24;
constexpr std::size_t kLately = 8;

// Of the run: what every run writes first, so that it writes few pages.
struct Known {
  std::size_t phase_count;
  std::uint64_t any_hidden[kHiddenWrites / 64];  // which entries were ever made
  std::size_t touched_count;                     // pages of cells that were written
  std::size_t most_touched;
  bool touched_gave_way;
  std::uint64_t touched_lately[kLately];  // the numbers of some, plus one
  std::uint64_t touched[kFewPages];       // the first ones
  Phase phases[kMostPhases];
  HiddenWrite hidden[kHiddenWrites];
};
Known g_known;

std::uint16_t* g_map;    // reserved before the fork
std::uint16_t* g_cells;  // null: not classifying
std::uint16_t* cell_of(std::uint64_t address) { return &g_cells[(address >> 3) & (kCells - 1)]; }

// Which pages of cells were written, so that they can be bounded: the first few in a list, the others in a table. A page that
// gives way to another there counts twice if it comes back: the bound holds all the same.
constexpr unsigned kCellsPerPageBits = 11;
constexpr std::size_t kTouchedSlots = std::size_t{1} << 16;
std::uint32_t g_touched[kTouchedSlots];  // the upper part of the page's number plus one

std::uint64_t page_of(const std::uint16_t* cell) {
  return static_cast<std::uint64_t>(cell - g_cells) >> kCellsPerPageBits;
}
std::uint32_t tag_of(std::uint64_t page) {
  return static_cast<std::uint32_t>(page / kTouchedSlots) + 1;
}

bool is_among_few(std::uint64_t page) {
  for (std::size_t i = 0; i < g_known.touched_count && i < kFewPages; ++i) {
    if (g_known.touched[i] == page) return true;
  }
  return false;
}

void touch(const std::uint16_t* cell) {
  const std::uint64_t page = page_of(cell);
  std::uint64_t& lately = g_known.touched_lately[(page ^ page >> 7) % kLately];
  if (lately == page + 1) return;
  lately = page + 1;
  if (is_among_few(page)) return;
  if (g_known.touched_count < kFewPages) {
    g_known.touched[g_known.touched_count++] = page;
    return;
  }
  std::uint32_t& slot = g_touched[page % kTouchedSlots];
  if (slot == tag_of(page)) return;
  if (slot != 0) g_known.touched_gave_way = true;
  slot = tag_of(page);
  ++g_known.touched_count;
}

bool is_untouched(const std::uint16_t* cell) {
  const std::uint64_t page = page_of(cell);
  if (is_among_few(page)) return false;
  if (g_known.touched_count < kFewPages) return true;
  return !g_known.touched_gave_way && g_touched[page % kTouchedSlots] != tag_of(page);
}

// Where each point was last seen; 0: nowhere yet. To look for a heap block by its name takes long.
std::uint64_t g_point_address[kPointCapacity];

void mark_racing(std::uint64_t point, std::uint64_t address) {
  g_point_address[point] = address;
  std::uint16_t* const cell = cell_of(address);
  touch(cell);
  *cell = kRacing;
}

void learn(std::uint64_t address) {
  ControlBlock& control = *g_engine.control;
  RunOutcome& outcome = control.outcome;
  const ObjectId object = runtime::object_of(reinterpret_cast<void*>(address & ~std::uint64_t{7}));
  if (outcome.point_count >= kPointCapacity) return;
  g_point_address[outcome.point_count] = address;
  control.points[outcome.point_count] = object;
  outcome.point_count = outcome.point_count + 1;
}

std::size_t hidden_slot(std::uint64_t address) { return (address >> 3) % kHiddenWrites; }

void hide(std::uint64_t address, std::uint64_t cell) {
  const std::size_t slot = hidden_slot(address);
  g_known.any_hidden[slot / 64] |= std::uint64_t{1} << slot % 64;
  g_known.hidden[slot] = {address, cell};
}

// Forgets everything but what races, in the order in which it was learned.
void start_over() {
  runtime::raw_syscall(SYS_madvise, reinterpret_cast<long>(g_cells),
                       static_cast<long>(kCells * sizeof(std::uint16_t)), MADV_DONTNEED);
  g_known.phase_count = 1;
  for (std::uint64_t& any : g_known.any_hidden) any = 0;
  for (std::uint32_t& slot : g_touched) {
    if (slot != 0) slot = 0;
  }
  g_known.touched_count = 0;
  for (std::uint64_t& lately : g_known.touched_lately) lately = 0;
  g_known.touched_gave_way = false;
  // Half of the pages are for what comes.
  for (std::uint32_t i = 0; i < g_engine.control->outcome.point_count &&
                            g_known.touched_count * 2 < g_known.most_touched;
       ++i) {
    const std::uint64_t address = g_point_address[i];
    const auto* const pointer = reinterpret_cast<const void*>(address & ~std::uint64_t{7});
    const bool is_there =
        address != 0 && runtime::object_of(pointer) == g_engine.control->points[i];
    if (is_there) mark_racing(i, address);
  }
  for (std::uint32_t i = 0; i < g_engine.task_count; ++i) g_engine.tasks[i].phase = 0;
}

// What the calling thread's stub compares cells with. A race detector and a trace must see every access: a cell is about
// eight bytes, and another variable may be among them. So must noise that takes every place alike. But the stub itself can ask fasttrack, where nobody else looks. No
// phase has this number, nor is it one of the marks.
std::uint16_t fast_owner(const Task& task) {
  constexpr std::uint16_t kNobody = 0xfff1;
  if ((g_engine.control->plan.flags & kPlanStacks) != 0 || disturbs_private_accesses()) {
    return kNobody;
  }
  if (!runtime::g_detecting_memory) return task.phase;
  const bool asks = runtime::g_tracking && g_engine.passing_is_quiet;
  return asks && runtime::pass_private_accesses(task.id) ? task.phase : kNobody;
}

bool ordered_before(const Phase& phase, Task& task) {
  return phase.thread == task.id.value || phase.tick <= tick_of(clock_of(task), phase.thread);
}

// May answer true where a second look finds nothing.
bool may_race_with_hidden(std::uint64_t address, const Task& task) {
  const std::size_t slot = hidden_slot(address);
  if ((g_known.any_hidden[slot / 64] >> slot % 64 & 1) == 0) return false;
  const HiddenWrite& hidden = g_known.hidden[slot];
  if (hidden.address != address) return false;
  const Phase& phase = g_known.phases[hidden.cell >> 1];
  return phase.thread != task.id.value && phase.tick > tick_of(task.clock, phase.thread);
}

bool races_with_hidden(std::uint64_t address, Task& task) {
  clock_of(task);  // begins it
  return may_race_with_hidden(address, task);
}

[[gnu::noinline]] bool seldom_is_point(Task& task, std::uint64_t address, bool writes) {
  std::uint16_t& cell = *cell_of(address);
  if (g_known.touched_count > g_known.most_touched && cell == kVirgin) [[unlikely]] {
    start_over();
    begin_phase(task);
    if (cell == kRacing) return true;  // from an earlier run
  }
  const std::uint16_t own = task.phase;
  if (cell == kVirgin) {
    touch(&cell);
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
    if (ordered_before(g_known.phases[cell >> 1], task) && !hidden_race) {
      if (!writes && was_written) hide(address, cell);
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

// Mostly a thread comes back to what it had to itself: in the same phase, or in an earlier one of its own.
[[gnu::always_inline]] inline bool cell_is_point(Task& task, std::uint64_t address, bool writes) {
  std::uint16_t& cell = *cell_of(address);
  const std::uint16_t own = task.phase;
  const std::uint16_t before = cell;
  if ((before | 1) == own) {
    if (writes) cell = own;  // a first write after reads of the same phase
    return false;
  }
  if (before == kRacing) return true;
  const bool is_phase = before != kVirgin && before < kReadShared;
  const bool was_written = (before & 1) != 0;
  if (!is_phase || g_known.phases[before >> 1].thread != task.id.value ||
      (!was_written && may_race_with_hidden(address, task))) {
    return seldom_is_point(task, address, writes);
  }
  if (!writes && was_written) hide(address, before);
  cell = writes ? own : static_cast<std::uint16_t>(own & ~1u);
  return false;
}

bool
    g_learned_on_heap;  // most programs' shared data is global: then allocation need not look at the list

template <class Each>
void for_learned(ObjectKind kind, Each&& each) {
  const ControlBlock& control = *g_engine.control;
  for (std::uint64_t i = 0; i < control.plan.point_count; ++i) {
    if (object_kind(control.points[i]) == kind) each(i, control.points[i]);
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

bool begin_classification(std::uint64_t memory) {
  if (!map_cells()) return false;
  g_cells = g_map;
  g_known.phase_count = 1;
  g_known.most_touched = memory / (sizeof(std::uint16_t) << kCellsPerPageBits);
  g_learned_on_heap = false;
  for_learned(ObjectKind::heap, [](std::uint64_t, ObjectId) { g_learned_on_heap = true; });
  for_learned(ObjectKind::global, [](std::uint64_t point, ObjectId object) {
    if (const std::uint64_t address = runtime::address_of(object)) mark_racing(point, address);
  });
  for_learned(ObjectKind::other, [](std::uint64_t point, ObjectId object) {
    mark_racing(point, object.value & 0x0fff'ffff'ffff'ffffULL);
  });
  return true;
}

void begin_phase(Task& task) {
  if (g_cells == nullptr) return;
  if (g_known.phase_count == kMostPhases) start_over();
  const std::size_t number = g_known.phase_count++;
  g_known.phases[number] = {task.id.value, 0, clock_of(task).ticks[task.id.value]};
  task.phase = static_cast<std::uint16_t>(number << 1 | 1);
  if (task.thread == &runtime::self()) heddle_fast_state_v6.owner = fast_owner(task);
}

std::uint16_t phase_of(const Task& task) { return task.phase; }

void refresh_phase(Task& self) {
  if (g_cells == nullptr) return;
  if (self.phase == 0) begin_phase(self);
  heddle_fast_state_v6.owner = fast_owner(self);
}

void watch_accesses(Task& self) {
  if (runtime::g_level != Level::memory) return;
  if (self.phase == 0) begin_phase(self);
  runtime::FastState& fast = heddle_fast_state_v6;
  if (g_cells != nullptr) {
    fast.shadow_base = g_cells;
    fast.shadow_mask = kCells - 1;
    fast.owner = fast_owner(self);
  }
  fast.skip = -1;
}

[[gnu::noinline]] static bool some_is_point(Task& task, std::uint64_t begin, std::uint64_t last,
                                            bool writes) {
  if (task.phase == 0) begin_phase(task);
  bool point = false;
  for (std::uint64_t at = begin; at <= last; at += 8) {
    point = cell_is_point(task, at, writes) || point;
  }
  return point;
}

bool is_point(Task& task, const void* address, std::size_t size, bool writes) {
  if (g_cells == nullptr) return true;
  const auto first = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t last = first + (size == 0 ? 0 : size - 1);
  const std::uint64_t begin = first & ~std::uint64_t{7};
  if (last - begin < 8 && task.phase != 0) return cell_is_point(task, begin, writes);
  return some_is_point(task, begin, last, writes);
}

void reset_cells(const void* start, std::size_t size) {
  if (g_cells == nullptr || size == 0) return;
  const auto first = reinterpret_cast<std::uint64_t>(start) & ~std::uint64_t{7};
  const std::uint64_t cells = (reinterpret_cast<std::uint64_t>(start) + size - first + 7) / 8;
  std::uint16_t* const begin = cell_of(first);
  constexpr std::uint64_t kByHand = 16384;
  if (cells <= kByHand) {
    for (std::uint64_t i = 0; i < cells;) {
      const std::uint64_t at = static_cast<std::uint64_t>(begin + i - g_cells);
      const std::uint64_t page_end = ((at >> kCellsPerPageBits) + 1) << kCellsPerPageBits;
      const std::uint64_t stop = i + page_end - at < cells ? i + page_end - at : cells;
      // Looks before it writes: what nobody touched stays so.
      if (is_untouched(begin + i)) i = stop;
      for (; i < stop; ++i) {
        if (begin[i] != kVirgin) begin[i] = kVirgin;
      }
    }
    return;
  }
  // Whole pages go back to the kernel; the ends by hand.
  const auto from = (reinterpret_cast<std::uint64_t>(begin) + 4095) & ~std::uint64_t{4095};
  const auto to = reinterpret_cast<std::uint64_t>(begin + cells) & ~std::uint64_t{4095};
  for (auto* cell = begin; reinterpret_cast<std::uint64_t>(cell) < from; ++cell) {
    if (*cell != kVirgin) *cell = kVirgin;
  }
  for (auto* cell = reinterpret_cast<std::uint16_t*>(to); cell < begin + cells; ++cell) {
    if (*cell != kVirgin) *cell = kVirgin;
  }
  runtime::raw_syscall(SYS_madvise, static_cast<long>(from), static_cast<long>(to - from),
                       MADV_DONTNEED);
}

void mark_learned_in_block(const void* block, std::size_t size) {
  if (g_cells == nullptr || !g_learned_on_heap) return;
  const runtime::HeapBlock* const known = runtime::find_block(block);
  if (known == nullptr) return;
  for_learned(ObjectKind::heap, [&](std::uint64_t point, ObjectId object) {
    if (object.value >> 24 != make_heap(known->hash, 0).value >> 24) return;
    const std::uint64_t offset = object.value & 0xff'ffff;
    if (offset < size) mark_racing(point, known->start + offset);
  });
}

void mark_learned_on_stack(const Task& task) {
  if (g_cells == nullptr) return;
  for_learned(ObjectKind::stack, [&](std::uint64_t point, ObjectId object) {
    if (((object.value >> 44) & 0xffff) != task.id.value) return;
    mark_racing(point, task.thread->stack_top - (object.value & 0xfff'ffff'ffffULL));
  });
}

}  // namespace heddle::controlled
