// Which live heap block contains an address: O(1), own memory, no huge map.
//
// A radix tree over the address: 16 GB, 8 MB, 4 KB pages, 16-byte granules; small tables, so that those of one heap lie together. An entry names a record, and the record
// says what it covers, so an entry that outlived its block is recognised and a release need not clear anything.
// Pages that a large block covers wholly have one entry instead of 256.
// Any thread may call anything; a lookup takes no lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/identity.h"

namespace heddle::runtime {

class HeapRegistry {
 public:
  // Makes what the first blocks in [start, end) will need, so that a fork inherits it.
  void prepare(std::uint64_t start, std::uint64_t end);
  // False when memory for it was refused: the block stays unknown.
  bool insert(const HeapBlock& block);
  // Size of the block that begins there, 0 if there is none.
  std::size_t erase(std::uint64_t start);
  // Null if no live block contains the address.
  HeapBlock* find(std::uint64_t address);
  // The last block that was given back and contained the address, if it is one of the latest; else null.
  HeapBlock* find_freed(std::uint64_t address);
  // Some live block with this hash; a linear search, for rare questions.
  const HeapBlock* find_hash(std::uint64_t hash) const;

  std::uint64_t refused() const { return refused_; }
  // How many blocks came and went.
  std::uint64_t changes() const { return __atomic_load_n(&changes_, __ATOMIC_RELAXED); }

 private:
  static constexpr unsigned kGranuleBits = 4;
  static constexpr unsigned kPageBits = 12;
  static constexpr unsigned kRegionBits = 23;
  static constexpr unsigned kAreaBits = 34;
  static constexpr unsigned kAddressBits = 47;
  static constexpr std::size_t kAreas = std::size_t{1} << (kAddressBits - kAreaBits);
  static constexpr std::size_t kRegions = std::size_t{1} << (kAreaBits - kRegionBits);
  static constexpr std::size_t kPages = std::size_t{1} << (kRegionBits - kPageBits);
  static constexpr std::size_t kGranules = std::size_t{1} << (kPageBits - kGranuleBits);
  static constexpr std::size_t kChunkRecords = 4096;
  static constexpr std::size_t kChunks = 16384;

  struct Page {
    std::uint32_t* granules;  // kGranules record numbers, null until needed
    std::uint32_t whole;      // a record that covers all of the page
    std::uint32_t reserved;
  };

  HeapBlock* record(std::uint32_t number) const;
  std::uint32_t take_record();
  void give_back(std::uint32_t number);
  Page* page_at(std::uint64_t address, bool create);
  bool mark(std::uint64_t start, std::uint64_t end, std::uint32_t number);
  void lock();
  void unlock();
  void note_change();
  void remember(const HeapBlock& block);

  Page*** areas_ = nullptr;          // kAreas of them, each of kRegions, each of kPages
  HeapBlock* chunks_[kChunks] = {};  // records; number 0 is "none"
  std::uint32_t used_records_ = 0;   // highest number handed out
  std::uint32_t free_list_ = 0;      // linked through HeapBlock::number
  std::uint32_t locked_ = 0;
  static constexpr std::size_t kFreed = 64;
  std::size_t freed_count_ = 0;
  HeapBlock freed_[kFreed] = {};
  std::uint64_t refused_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace heddle::runtime
