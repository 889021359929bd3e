#include "runtime/heap_registry.h"

#include "runtime/platform/memory.h"

namespace heddle::runtime {
namespace {

// Installs fresh zeroed memory in `slot` unless somebody else was faster.
template <class T>
T* install(T** slot, std::size_t size) {
  T* known = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  if (known != nullptr) return known;
  T* const fresh = static_cast<T*>(allocate_growing(size));
  if (fresh == nullptr) return nullptr;
  if (__atomic_compare_exchange_n(slot, &known, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return fresh;
  }
  return known;
}

bool covers(const HeapBlock& block, std::uint64_t address) {
  return block.start != 0 && address >= block.start &&
         (address - block.start < block.size || address == block.start);
}

// A reader may meet a place that is being written: for it that is no block.
void put(HeapBlock& place, const HeapBlock& block) {
  __atomic_store_n(&place.start, 0, __ATOMIC_RELEASE);
  place.size = block.size;
  place.hash = block.hash;
  place.site = block.site;
  place.thread = block.thread;
  place.calls = block.calls;
  place.number = block.number;
  __atomic_store_n(&place.start, block.start, __ATOMIC_RELEASE);
}

}  // namespace

HeapBlock* HeapRegistry::record(std::uint32_t number) const {
  HeapBlock* const chunk = __atomic_load_n(&chunks_[number / kChunkRecords], __ATOMIC_ACQUIRE);
  return chunk == nullptr ? nullptr : &chunk[number % kChunkRecords];
}

void HeapRegistry::lock() {
  while (__atomic_exchange_n(&locked_, 1, __ATOMIC_ACQUIRE) != 0) __builtin_ia32_pause();
}
void HeapRegistry::unlock() { __atomic_store_n(&locked_, 0, __ATOMIC_RELEASE); }

// By who has the lock.
void HeapRegistry::note_change() { __atomic_store_n(&changes_, changes_ + 1, __ATOMIC_RELAXED); }

std::uint32_t HeapRegistry::take_record() {
  lock();
  note_change();
  std::uint32_t number = free_list_;
  if (number != 0) {
    free_list_ = record(number)->number;
  } else if (used_records_ + 1 < kChunks * kChunkRecords &&
             install(&chunks_[(used_records_ + 1) / kChunkRecords],
                     kChunkRecords * sizeof(HeapBlock)) != nullptr) {
    number = ++used_records_;
  }
  unlock();
  return number;
}

void HeapRegistry::give_back(std::uint32_t number) {
  lock();
  note_change();
  record(number)->number = free_list_;
  free_list_ = number;
  unlock();
}

HeapRegistry::Page* HeapRegistry::page_at(std::uint64_t address, bool create) {
  if (address >> kAddressBits != 0) return nullptr;
  const auto table = [create](auto** slot, std::size_t size) {
    return create ? install(slot, size) : __atomic_load_n(slot, __ATOMIC_ACQUIRE);
  };
  Page*** const areas = table(&areas_, kAreas * sizeof(Page**));
  if (areas == nullptr) return nullptr;
  Page** const regions = table(&areas[address >> kAreaBits], kRegions * sizeof(Page*));
  if (regions == nullptr) return nullptr;
  Page* const pages = table(&regions[(address >> kRegionBits) % kRegions], kPages * sizeof(Page));
  return pages == nullptr ? nullptr : &pages[(address >> kPageBits) % kPages];
}

bool HeapRegistry::mark(std::uint64_t start, std::uint64_t end, std::uint32_t number) {
  constexpr std::uint64_t kPageSize = std::uint64_t{1} << kPageBits;
  for (std::uint64_t at = start; at < end;) {
    const std::uint64_t page_start = at & ~(kPageSize - 1);
    const std::uint64_t stop = page_start + kPageSize < end ? page_start + kPageSize : end;
    Page* const page = page_at(at, true);
    if (page == nullptr) return false;
    if (at == page_start && stop == page_start + kPageSize) {
      __atomic_store_n(&page->whole, number, __ATOMIC_RELEASE);
    } else {
      std::uint32_t* const granules = install(&page->granules, kGranules * sizeof(std::uint32_t));
      if (granules == nullptr) return false;
      for (std::uint64_t i = at >> kGranuleBits; i <= (stop - 1) >> kGranuleBits; ++i) {
        __atomic_store_n(&granules[i % kGranules], number, __ATOMIC_RELAXED);
      }
    }
    at = stop;
  }
  return true;
}

void HeapRegistry::prepare(std::uint64_t start, std::uint64_t end) {
  install(&chunks_[0], kChunkRecords * sizeof(HeapBlock));
  constexpr std::uint64_t kPageSize = std::uint64_t{1} << kPageBits;
  for (std::uint64_t at = start; at < end; at += kPageSize) mark(at, at + 1, 0);
}

bool HeapRegistry::insert(const HeapBlock& block) {
  const std::uint32_t number = take_record();
  const std::uint64_t end = block.start + (block.size == 0 ? 1 : block.size);
  if (number == 0 || !mark(block.start, end, number)) {
    if (number != 0) give_back(number);
    __atomic_fetch_add(&refused_, 1, __ATOMIC_RELAXED);
    return false;
  }
  put(*record(number), block);
  return true;
}

HeapBlock* HeapRegistry::find(std::uint64_t address) {
  const Page* const page = page_at(address, false);
  if (page == nullptr) return nullptr;
  // Small blocks and a large one never live on the same granule, so the order of the two questions does not matter.
  if (const std::uint32_t* granules = __atomic_load_n(&page->granules, __ATOMIC_ACQUIRE)) {
    const std::uint32_t number = granules[(address >> kGranuleBits) % kGranules];
    if (number != 0 && covers(*record(number), address)) return record(number);
  }
  const std::uint32_t whole = __atomic_load_n(&page->whole, __ATOMIC_ACQUIRE);
  return whole != 0 && covers(*record(whole), address) ? record(whole) : nullptr;
}

void HeapRegistry::remember(const HeapBlock& block) {
  lock();
  put(freed_[freed_count_++ % kFreed], block);
  unlock();
}

HeapBlock* HeapRegistry::find_freed(std::uint64_t address) {
  const std::size_t count = freed_count_;
  for (std::size_t back = 1; back <= kFreed && back <= count; ++back) {
    HeapBlock& block = freed_[(count - back) % kFreed];
    if (covers(block, address)) return &block;
  }
  return nullptr;
}

std::size_t HeapRegistry::erase(std::uint64_t start) {
  HeapBlock* const block = find(start);
  if (block == nullptr || block->start != start) return 0;
  const std::size_t size = block->size;
  remember(*block);
  __atomic_store_n(&block->start, 0, __ATOMIC_RELEASE);
  // Its number: found through the entry that led here.
  const Page* const page = page_at(start, false);
  std::uint32_t number = 0;
  if (page->granules != nullptr) number = page->granules[(start >> kGranuleBits) % kGranules];
  if (number == 0 || record(number) != block) number = page->whole;
  give_back(number);
  return size;
}

const HeapBlock* HeapRegistry::find_hash(std::uint64_t hash) const {
  for (std::uint32_t number = 1; number <= used_records_; ++number) {
    const HeapBlock* const block = record(number);
    if (block->start != 0 && block->hash == hash) return block;
  }
  return nullptr;
}

}  // namespace heddle::runtime
