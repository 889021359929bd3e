// What is remembered of memory: for every 8 bytes that were touched, a list of records, each about some of the bytes.
//
// Two levels: pages of 4096 bytes are found by hash and have a head per granule. Record must have members `next`
// (std::uint32_t) and `mask` (std::uint8_t, a bit per byte). A bounded number of records; freed ones are used again.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/arena.h"
#include "base/key_map.h"

namespace heddle {

template <class Record>
class Shadow {
 public:
  static constexpr std::uint32_t kNone = 0;

  constexpr Shadow() = default;

  void begin_run(Arena& arena) {
    arena_ = &arena;
    pages_.begin_run(arena);
    for (std::uint32_t i = 0; i <= count_ >> kPieceShift && i < kPieces; ++i) pieces_[i] = nullptr;
    count_ = 1;
    free_ = kNone;
    dropped_ = 0;
    cached_key_ = kNoPage;
    cached_ = nullptr;
  }

  // The head of that granule's list, or null if memory is used up (counted).
  std::uint32_t* head(std::uint64_t granule) {
    Page* const page = page_of(granule >> kPageShift);
    if (page == nullptr) {
      ++dropped_;
      return nullptr;
    }
    return &page->heads[granule & (kPageGranules - 1)];
  }

  Record& at(std::uint32_t index) {
    return pieces_[index >> kPieceShift][index & (kPieceSize - 1)];
  }

  // A new record at the front of the list; null if there is no room (counted).
  Record* push(std::uint32_t& head) {
    const std::uint32_t index = take();
    if (index == kNone) {
      ++dropped_;
      return nullptr;
    }
    Record& record = at(index);
    record = Record{};
    record.next = head;
    head = index;
    return &record;
  }

  // Takes the record that *link names out of its list.
  void remove(std::uint32_t* link) {
    const std::uint32_t index = *link;
    *link = at(index).next;
    at(index).next = free_;
    free_ = index;
  }

  // The bytes have no history any more.
  void forget(std::uint64_t start, std::uint64_t size) {
    const std::uint64_t end = start + size;
    for (std::uint64_t granule = start >> 3; granule << 3 < end;) {
      Page* const page = pages_.find(granule >> kPageShift);
      if (page == nullptr) {
        granule = ((granule >> kPageShift) + 1) << kPageShift;
        continue;
      }
      std::uint32_t* link = &page->heads[granule & (kPageGranules - 1)];
      const std::uint8_t bytes = mask_of(granule, start, end);
      while (*link != kNone) {
        Record& record = at(*link);
        record.mask &= static_cast<std::uint8_t>(~bytes);
        if (record.mask == 0) {
          remove(link);
        } else {
          link = &record.next;
        }
      }
      ++granule;
    }
  }

  // Which bytes of the granule are in [start, end).
  static std::uint8_t mask_of(std::uint64_t granule, std::uint64_t start, std::uint64_t end) {
    const std::uint64_t first = granule << 3;
    const unsigned low = start > first ? static_cast<unsigned>(start - first) : 0;
    const unsigned high = end < first + 8 ? static_cast<unsigned>(end - first) : 8;
    return static_cast<std::uint8_t>((0xffu << low) & (0xffu >> (8 - high)));
  }

  std::uint64_t dropped() const { return dropped_; }

 private:
  static constexpr unsigned kPageShift = 9;
  static constexpr std::size_t kPageGranules = std::size_t{1} << kPageShift;
  static constexpr unsigned kPieceShift = 12;
  static constexpr std::uint32_t kPieceSize = 1u << kPieceShift;
  static constexpr std::uint32_t kPieces = 1u << 14;
  static constexpr std::uint64_t kNoPage = ~std::uint64_t{0};

  struct Page {
    std::uint32_t heads[kPageGranules];
  };

  Page* page_of(std::uint64_t key) {
    if (key != cached_key_) {
      Page* const page = pages_.find_or_make(key);
      if (page == nullptr) return nullptr;
      cached_ = page;
      cached_key_ = key;
    }
    return cached_;
  }

  std::uint32_t take() {
    if (free_ != kNone) {
      const std::uint32_t index = free_;
      free_ = at(index).next;
      return index;
    }
    const std::uint32_t piece = count_ >> kPieceShift;
    if (piece >= kPieces) return kNone;
    if (pieces_[piece] == nullptr) {
      pieces_[piece] = arena_->template make_array<Record>(kPieceSize);
      if (pieces_[piece] == nullptr) return kNone;
    }
    return count_++;
  }

  Arena* arena_ = nullptr;
  KeyMap<Page> pages_;
  std::uint32_t count_ = 1;  // 0 is no record
  std::uint32_t free_ = kNone;
  std::uint64_t dropped_ = 0;
  std::uint64_t cached_key_ = kNoPage;
  Page* cached_ = nullptr;
  Record* pieces_[kPieces] = {};
};

}  // namespace heddle
