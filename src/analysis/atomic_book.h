// Where threads come to the same atomic objects again and again, telling the granule of each access (access_cells.h) would make
// all of them write the same cache line. Instead a thread has a book of its own for the last such objects, and the granule a
// mark: an access of that thread, at a tick that nobody is ordered after, whose place is the entry in the book. Who may be in
// conflict with it takes the mark away, and puts what the book says into the granule.
//
// Only its own thread writes a book. It looks at the mark after it has written, and who takes the mark away looks into the book
// after that: one of them sees the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/access_word.h"
#include "base/spin_lock.h"

namespace heddle {

struct AccessCell {
  AccessWord access;
  SiteId site;
};

class alignas(64) BookEntry {
 public:
  constexpr BookEntry() = default;

  // 0: about nothing.
  std::uint64_t start() const { return start_; }
  bool is_about(std::uint64_t start, AccessWord access) const {
    return start_ == start && mark_.has_bytes_of(access);
  }
  // For its own thread, while there is no mark: that will be at `cell`, and put() says what is known by then.
  void begin(std::uint64_t start, AccessWord mark, const AccessCell* cell) {
    start_ = start;
    mark_ = mark;
    cell_ = cell;
    write_ = {};
    read_ = {};
  }
  void end() { start_ = 0; }
  void put(const AccessCell& access) { (access.access.writes() ? write_ : read_) = access; }

  bool knows(AccessWord access) const {
    return write_.access.knows(access) || read_.access.knows(access);
  }
  // The next two are for its own thread. False: the mark is gone, and whether this one was seen is not known.
  bool is_marked() const {
    std::uint64_t word;
    __atomic_load(reinterpret_cast<const std::uint64_t*>(&cell_->access), &word, __ATOMIC_ACQUIRE);
    return (word & ~AccessWord::kLock) == mark_.word() &&
           __atomic_load_n(&cell_->site.value, __ATOMIC_RELAXED) ==
               reinterpret_cast<std::uint64_t>(this);
  }
  // kAlone: nobody else looks at the same time.
  template <bool kAlone = false>
  bool keep(const AccessCell& fresh) {
    const std::uint64_t version = version_;
    if (!kAlone) __atomic_store_n(&version_, version + 1, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);  // stores stay in order on x86
    if (fresh.access.writes()) {
      write_ = fresh;
      read_ = {};
    } else {
      read_ = fresh;
    }
    if (!kAlone) __atomic_exchange_n(&version_, version + 2, __ATOMIC_SEQ_CST);
    return is_marked();
  }

  // For whoever has taken the mark away: the last access that writes, and the last one that does not, or none.
  struct Said {
    AccessCell write;
    AccessCell read;
  };
  Said said() const {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (unsigned looks = 0;; wait_a_little(looks++)) {
      const std::uint64_t version = __atomic_load_n(&version_, __ATOMIC_ACQUIRE);
      const Said said{seen(write_), seen(read_)};
      __atomic_thread_fence(__ATOMIC_ACQUIRE);
      if (version % 2 == 0 && __atomic_load_n(&version_, __ATOMIC_RELAXED) == version) return said;
    }
  }

 private:
  static AccessCell seen(const AccessCell& cell) {
    std::uint64_t word;
    __atomic_load(reinterpret_cast<const std::uint64_t*>(&cell.access), &word, __ATOMIC_RELAXED);
    return {AccessWord(word), SiteId{__atomic_load_n(&cell.site.value, __ATOMIC_RELAXED)}};
  }

  std::uint64_t version_ = 0;  // odd: it is being written
  std::uint64_t start_ = 0;
  AccessWord mark_;
  const AccessCell* cell_ = nullptr;
  AccessCell write_ = {};
  AccessCell read_ = {};
};
static_assert(sizeof(BookEntry) == 64);

class AtomicBook {
 public:
  constexpr AtomicBook() = default;

  BookEntry& entry_for(std::uint64_t address) { return entries_[index_of(address)]; }
  // Whether its entry is free, or should be made so: not each time where more objects are used than there are entries.
  bool has_room_for(std::uint64_t address) {
    const std::size_t index = index_of(address);
    const std::uint64_t about = entries_[index].start();
    return about == 0 || about == address || ++wanted_[index] % kPatience == 0;
  }

 private:
  static constexpr std::size_t kEntries = 16;
  static constexpr unsigned kPatience = 16;
  static std::size_t index_of(std::uint64_t address) {
    return (address >> 2 ^ address >> 6) % kEntries;
  }

  BookEntry entries_[kEntries] = {};
  std::uint8_t wanted_[kEntries] = {};
};

}  // namespace heddle
