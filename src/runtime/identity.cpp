#include "runtime/identity.h"

#include "base/hash.h"
#include "runtime/allocation_calls.h"
#include "runtime/heap_registry.h"
#include "runtime/mode.h"
#include "runtime/module_table.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/syscall.h"
#include "runtime/thread.h"

namespace heddle::runtime {

bool g_note_heap = false;
std::uint64_t g_places_changed = 0;

namespace {

alignas(64) constinit HeapRegistry g_registry;  // see g_stacks

constexpr std::uint64_t kBlockHashMask = 0xf'ffff'ffffULL;  // what an ObjectId has room for
constexpr std::uint64_t kOwnModule = 0xfff;                 // no index in the module table
constexpr std::uint32_t kPublished = 0x8000'0000u;  // in HeapBlock::number: the tool knows it

// How often a thread allocated at a site. Open addressing, never shrinks; a slot belongs to one thread, so counting needs
// no atomic. A small table first, so that a run with few sites touches one page; a site that finds its places there taken
// goes to the large one, for good, since nothing is ever removed.
struct SiteCount {
  std::uint64_t key;
  std::uint64_t count;
};
struct SiteTable {
  SiteCount* counts;
  std::size_t size;
  std::size_t most_probes;
};
SiteTable g_site_tables[] = {{nullptr, 128, 16}, {nullptr, std::size_t{1} << 17, 64}};

SiteCount* counts_of(SiteTable& table) {
  SiteCount* counts = __atomic_load_n(&table.counts, __ATOMIC_ACQUIRE);
  if (counts != nullptr) return counts;
  auto* const fresh = static_cast<SiteCount*>(allocate_forever(table.size * sizeof(SiteCount)));
  if (fresh != nullptr && __atomic_compare_exchange_n(&table.counts, &counts, fresh, false,
                                                      __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return fresh;
  }
  return counts;
}

std::uint32_t next_number(std::uint64_t path_hash, SiteId site) {
  const std::uint64_t key = combine(path_hash, site.value) | 1;
  for (SiteTable& table : g_site_tables) {
    SiteCount* const counts = counts_of(table);
    if (counts == nullptr) return 0;
    for (std::size_t probe = 0; probe < table.most_probes; ++probe) {
      SiteCount& slot = counts[(key / 2 + probe) % table.size];
      // No look before: on a page that nobody touched, reading first would fault twice.
      std::uint64_t owner = 0;
      if (__atomic_compare_exchange_n(&slot.key, &owner, key, false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
        owner = key;
      }
      if (owner == key) return static_cast<std::uint32_t>(slot.count++);
    }
  }
  return 0;  // too many sites: blocks share a name, nothing worse
}

// So that the tool can show the block by its allocation.
void publish(HeapBlock& block) {
  if ((__atomic_fetch_or(&block.number, kPublished, __ATOMIC_RELAXED) & kPublished) != 0) return;
  const std::uint32_t place =
      __atomic_fetch_add(&g_control->heap_record_count, 1, __ATOMIC_RELAXED);
  if (place >= kHeapRecordCapacity) {
    __atomic_store_n(&g_control->heap_record_count, kHeapRecordCapacity, __ATOMIC_RELAXED);
    return;
  }
  HeapRecord& record = g_control->heap_records[place];
  record.block_hash = block.hash;
  record.size = block.size;
  record.site = block.site;
  record.thread = block.thread;
  record.calls = block.calls;
  record.number = block.number & ~kPublished;
}

}  // namespace

void prepare_heap_notes() {
  constexpr std::uint64_t kFirstHeap = 33 * 4096;  // what malloc asks the kernel for first
  const auto end = static_cast<std::uint64_t>(raw_syscall(SYS_brk, 0));
  counts_of(g_site_tables[0]);  // the first blocks' records come to lie beside it
  if (end > kFirstHeap) g_registry.prepare(end - kFirstHeap, end + 1);
}

void note_allocation(void* block, std::size_t size, const void* caller) {
  if (block == nullptr) return;
  ThreadState& thread = self();
  InRuntime guard(thread);
  HeapBlock fresh{};
  fresh.start = reinterpret_cast<std::uint64_t>(block);
  fresh.size = size;
  fresh.site = site_of(caller);
  fresh.thread = thread.id;
  fresh.calls = allocation_calls_now();
  fresh.number = next_number(thread.path_hash, fresh.site) & ~kPublished;
  fresh.hash = combine(combine(thread.path_hash, fresh.site.value), fresh.number) & kBlockHashMask;
  g_registry.insert(fresh);
}

std::size_t note_release(void* block) {
  return block == nullptr ? 0 : g_registry.erase(reinterpret_cast<std::uint64_t>(block));
}

std::uint64_t blocks_changed() { return g_registry.changes(); }

const HeapBlock* find_block(const void* address) {
  return g_registry.find(reinterpret_cast<std::uint64_t>(address));
}

bool is_freed(const void* address) {
  const std::uint64_t value = reinterpret_cast<std::uint64_t>(address);
  if (g_registry.find(value) != nullptr || g_registry.find_freed(value) == nullptr) return false;
  // A stack or a module may lie where a large block was.
  StackRange stack{};
  return find_module(value) == nullptr && find_stack(value, &stack) == kNoThread;
}

ObjectId object_of(const void* address) {
  const std::uint64_t value = reinterpret_cast<std::uint64_t>(address);
  if (value == 0) return ObjectId{0};
  if (HeapBlock* const block = g_registry.find(value)) {
    publish(*block);
    return make_heap(block->hash, value - block->start);
  }
  if (const LoadedModule* const module = find_module(value)) {
    return make_global(module->index, value - module->bias);
  }
  // Our own objects (a thread's record) stand for the program's: no address may decide their name either.
  if (const std::uint64_t offset = own_offset(value)) return make_global(kOwnModule, offset);
  StackRange stack{};
  const ThreadId owner = find_stack(value, &stack);
  if (owner != kNoThread) return make_stack(owner, stack.top - value);
  // Perhaps in a module that is new. Without asking, the name would depend on what else was looked up before.
  if (const LoadedModule* const module = find_new_module(value)) {
    return make_global(module->index, value - module->bias);
  }
  if (HeapBlock* const block = g_registry.find_freed(value)) {
    publish(*block);
    return make_heap(block->hash, value - block->start);
  }
  return make_object(ObjectKind::other, value);
}

std::uint64_t address_of(ObjectId object) {
  const std::uint64_t rest = object.value & 0x0fff'ffff'ffff'ffffULL;
  switch (object_kind(object)) {
    case ObjectKind::global: {
      const LoadedModule* const module = module_by_index(rest >> 48);
      return module == nullptr ? 0 : module->bias + (rest & 0xffff'ffff'ffffULL);
    }
    case ObjectKind::heap: {
      const HeapBlock* const block = g_registry.find_hash(rest >> 24);
      return block == nullptr ? 0 : block->start + (rest & 0xff'ffff);
    }
    case ObjectKind::stack: {
      const StackRange stack = stack_of(ThreadId{static_cast<std::uint16_t>(rest >> 44)});
      return stack.top == 0 ? 0 : stack.top - (rest & 0xfff'ffff'ffffULL);
    }
    case ObjectKind::other:
      return rest;
    default:
      return 0;
  }
}

}  // namespace heddle::runtime
