// What is remembered of memory that many threads touch at the same time: for every 8 bytes (a granule), the accesses that
// still count, each with its thread and tick (analysis/happens_before.h), the bytes it touched, and its place.
//
// Two accesses have room in the granule itself, more go to a list. A granule has a lock, a bit of its first word: it is
// taken to change anything, and not needed to see that an access is known already, which is most of them. Granules are in
// pages, found in a directory by number if the run has one, else in a hash table.
//
// A page that only one thread has used is that thread's own, and it takes no locks there: on some processors they are most of
// what an access costs. It says where it is instead (PageUser). Who comes second takes the page away, once for all: it says so
// in the page, makes every processor see that (a barrier for the whole process), and waits until the owner is elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>

#include "analysis/access_word.h"
#include "analysis/atomic_book.h"
#include "analysis/vector_clock.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/key_map.h"
#include "base/spin_lock.h"

namespace heddle {

class AccessCells {
 public:
  // Two cells. The second may stand for a list (kListed), whose head is then in the place of its site.
  struct alignas(32) Granule {
    AccessCell cells[2];
  };

  static constexpr unsigned kPageShift = 14;  // of the program's bytes
  static constexpr std::size_t kPageGranules = std::size_t{1} << (kPageShift - 3);
  struct PageUser;
  struct Page {
    Granule granules[kPageGranules];
    PageUser* owner;  // null: nobody, so that whoever changes a granule takes its lock
  };
  // A thread, and the page that it is in the middle of changing without locks.
  struct alignas(64) PageUser {
    Page* inside = nullptr;
  };

  // A page for every number, null until it is used. Huge, and hardly any of it is ever touched.
  using Directory = Page*;
  static constexpr std::uint64_t kDirectoryPages = std::uint64_t{1} << (47 - kPageShift);

  constexpr AccessCells() = default;

  // directory: zeroed memory for kDirectoryPages entries, or null: everything is then looked up. barrier: after it, what any
  // thread of the process had written before it is seen by all, and what they read from now on is not older; null: no page has an
  // owner.
  void begin_run(Arena& arena, Directory* directory, void (*barrier)() = nullptr);

  static std::uint64_t page_of(std::uint64_t address) { return address >> kPageShift; }
  template <class SomePage>  // const or not
  static auto& granule_in(SomePage& page, std::uint64_t address) {
    return page.granules[address >> 3 & (kPageGranules - 1)];
  }

  // The first of `kGranules` neighbours that an access begins with and covers to the last byte. Null if it does not begin with one,
  // or not all of them are in the page.
  template <std::size_t kGranules>
  [[gnu::always_inline]] static Granule* find_whole(Page& page, std::uint64_t address) {
    // Where it does not begin with one, the lowest bits make a high number.
    const auto offset =
        static_cast<std::uint32_t>(address & ((std::uint64_t{1} << kPageShift) - 1));
    const std::uint32_t index = offset >> 3 | offset << 29;
    return index <= kPageGranules - kGranules ? &page.granules[index] : nullptr;
  }

  // Where pages have no owners. Null if memory is used up (counted).
  Page* page(std::uint64_t number) {
    Page* const known = listed_page(number);
    return known != nullptr ? known : look_up(number, nullptr);
  }
  // The same for a thread that will take locks in it, whoever else has used it. The first to ask for a page is its owner; `user` is
  // null where there are none.
  Page* page_for(std::uint64_t number, PageUser* user) {
    Page* known = listed_page(number);
    if (known == nullptr) known = look_up(number, user);
    if (known != nullptr) make_open_to(*known, user);
    return known;
  }
  static bool is_shared(const Page& page) {
    return __atomic_load_n(&page.owner, __ATOMIC_ACQUIRE) == nullptr;
  }
  // From here to leave() the thread may change granules of the page without their locks: only its owner may. Else false.
  [[gnu::always_inline]] static bool enter(Page& page, PageUser& user) {
    __atomic_store_n(&user.inside, &page, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);  // the processor's part of it is in take_away()
    if (__atomic_load_n(&page.owner, __ATOMIC_RELAXED) == &user) return true;
    leave(user);
    return false;
  }
  [[gnu::always_inline]] static void leave(PageUser& user) {
    __atomic_store_n(&user.inside, nullptr, __ATOMIC_RELEASE);
  }

  // Without the lock.
  static bool knows(const Granule& granule, AccessWord access) {
    return seen(granule.cells[0]).knows(access) || seen(granule.cells[1]).knows(access);
  }

  // The same for a plain access to all the bytes of `kGranules` neighbours; `part` is what whole() gives. May answer false where
  // they know it in different cells.
  template <std::size_t kGranules>
  [[gnu::always_inline]] static bool knows_whole(const Granule* granules, AccessWord access,
                                                 std::uint64_t part) {
    const auto know = [&](std::size_t cell) __attribute__((always_inline)) {
      std::uint64_t different = 0;
      for (std::size_t i = 0; i < kGranules; ++i) {
        different |= seen(granules[i].cells[cell]).word() ^ access.word();
      }
      return (different & part) == 0;
    };
    return know(0) || know(1);
  }

  // Keeps a plain access to all the bytes, unknown so far, where that is most simple: nobody but its own thread has been there.
  // Else false, with nothing changed.
  template <bool kWrites, bool kAlone = false>
  [[gnu::always_inline]] static bool keep_own(Granule& granule, const AccessCell& fresh);

  // Keeps an access where the granule says the same of this thread at an earlier tick, of the same bytes, and else nothing, or
  // of others a write that is ordered before a read: what a thread comes back to. Else false, with nothing changed. No other thread
  // can be there.
  [[gnu::always_inline]] static bool renew(Granule& granule, const AccessCell& fresh,
                                           const VectorClock& clock);

  // Keeps an access unless that is known already. False, with nothing changed, where it is not so simple: there is a list, or no
  // room, or an access that is not ordered before this one, as that clock has it, and conflicts with it. update() then.
  // kAlone, here and above: no other thread can be there, so that nobody need be kept out.
  template <bool kAlone = false>
  [[gnu::always_inline]] static bool keep_simply(Granule& granule, const AccessCell& fresh,
                                                 const VectorClock& clock);

  // The same for atomic accesses, which do not take another thread's place: this one takes that of its own thread's last one, or a
  // free one, in a list as well.
  enum class Beside : std::uint8_t {
    no,
    kept,
    kept_again
  };  // again: and others do as this thread does
  Beside keep_beside(Granule& granule, const AccessCell& fresh, const VectorClock& clock);

  // From now on the thread writes such accesses down in that entry of its book (atomic_book.h): `fresh`, which was just kept and
  // begins at `start`, and the one before it that wrote. The entry was closed, or never used.
  void book(Granule& granule, const AccessCell& fresh, std::uint64_t start, BookEntry& entry);
  // What that entry says goes to the granule that it is about; it may be used anew.
  void close(BookEntry& entry);

  // Calls visit(AccessCell&) for every access of the granule until one answers true. A visit may take bytes away; what has
  // none left is gone. Then, if none answered true, keeps `fresh`.
  template <class Visit>
  void update(Granule& granule, const AccessCell& fresh, Visit&& visit);

  // The bytes have no history any more, says that thread.
  void forget(std::uint64_t start, std::uint64_t size, PageUser* user = nullptr);

  // What memory did not suffice for.
  std::uint64_t dropped() const { return __atomic_load_n(&dropped_, __ATOMIC_RELAXED); }

  // The bytes of that granule (address >> 3) that lie in [start, end), a bit each.
  static std::uint8_t mask_of(std::uint64_t granule, std::uint64_t start, std::uint64_t end) {
    const std::uint64_t first = granule << 3;
    const std::uint64_t from = start > first ? start - first : 0;
    const std::uint64_t to = end < first + 8 ? end - first : 8;
    return static_cast<std::uint8_t>((0xffu >> (8 - (to - from))) << from);
  }

 private:
  static constexpr AccessWord kListed{2};  // no access has tick 0
  static constexpr std::uint32_t kNone = 0;
  static constexpr unsigned kPieceShift = 10;
  static constexpr std::uint32_t kPieces = 1u << 14;

  struct alignas(64) Listed {
    AccessCell cells[3];
    std::uint32_t next;
  };

  static AccessWord seen(const AccessCell& cell) {
    std::uint64_t word;
    __atomic_load(reinterpret_cast<const std::uint64_t*>(&cell.access), &word, __ATOMIC_RELAXED);
    return AccessWord(word);
  }

  // Returns the first word without the lock's bit.
  static AccessWord lock(Granule& granule) {
    auto* const word = reinterpret_cast<std::uint64_t*>(&granule.cells[0].access);
    for (unsigned looks = 0;;) {
      std::uint64_t now = __atomic_load_n(word, __ATOMIC_RELAXED) & ~AccessWord::kLock;
      if (__atomic_compare_exchange_n(word, &now, now | AccessWord::kLock, true, __ATOMIC_ACQUIRE,
                                      __ATOMIC_RELAXED)) {
        return AccessWord(now);
      }
      wait_a_little(looks++);
    }
  }
  // Only while nobody holds the lock and the first word, without its bit, is this.
  static bool lock_if(Granule& granule, AccessWord first) {
    auto* const word = reinterpret_cast<std::uint64_t*>(&granule.cells[0].access);
    std::uint64_t now = first.word();
    return __atomic_compare_exchange_n(word, &now, now | AccessWord::kLock, false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
  }
  static void unlock(Granule& granule, AccessWord first) {
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(&granule.cells[0].access), first.word(),
                     __ATOMIC_RELEASE);
  }
  static void put(AccessCell& cell, AccessWord access) {
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(&cell.access), access.word(),
                     __ATOMIC_RELAXED);
  }
  // Takes from `earlier` what `fresh` says as well. False: a conflict.
  [[gnu::always_inline]] static bool make_way(AccessWord& earlier, AccessWord fresh,
                                              const VectorClock& clock) {
    if (!earlier.shares_bytes(fresh)) return true;
    if (!earlier.is_of_thread_of(fresh) &&
        earlier.tick() > tick_of(clock, earlier.thread().value)) {
      return !fresh.conflicts_with(earlier);
    }
    if (fresh.covers(earlier)) earlier.take_bytes_of(fresh);
    return true;
  }
  // Takes marks of a locked granule away and puts what their books say in their place: that of `only`, or all that share bytes
  // with `fresh`. `first` is its first word; returns what is to be that.
  AccessWord withdraw(Granule& granule, AccessWord first, AccessWord fresh, const BookEntry* only);
  // Calls visit(AccessCell&, AccessWord) for the cells of a locked granule, free ones too, until one answers false. False: one
  // did, or there are too many.
  template <class Visit>
  bool visit_few(Granule& granule, AccessWord first, Visit&& visit);
  static bool is_listed(const Granule& granule) {
    return granule.cells[1].access.word() == kListed.word();
  }

  Page* listed_page(std::uint64_t number) const {
    if (directory_ == nullptr || number >= kDirectoryPages) return nullptr;
    return __atomic_load_n(&directory_[number], __ATOMIC_ACQUIRE);
  }
  void make_open_to(Page& page, const PageUser* user) {
    const PageUser* const owner = __atomic_load_n(&page.owner, __ATOMIC_ACQUIRE);
    if (owner != nullptr && owner != user) take_away(page);
  }
  void take_away(Page& page);
  Page* look_up(std::uint64_t number, PageUser* user);
  Page* find_page(std::uint64_t number);
  void forget_in(Granule& granule, std::uint8_t bytes);
  // The list of a granule that is locked.
  Listed& at(std::uint32_t index) {
    return pieces_[index >> kPieceShift][index & ((1u << kPieceShift) - 1)];
  }
  template <class Visit>
  bool visit_list(Granule& granule, AccessCell** spare, Visit&& visit);
  void keep_in_list(Granule& granule, const AccessCell& fresh);
  std::uint32_t take();
  void give(std::uint32_t index);
  void drop() { __atomic_fetch_add(&dropped_, 1, __ATOMIC_RELAXED); }

  Arena* arena_ = nullptr;
  Directory* directory_ = nullptr;
  void (*barrier_)() = nullptr;
  PageUser nobody_;  // owns a page while it is being taken away
  SpinLock pages_lock_;
  KeyMap<Page*> pages_;
  SpinLock list_lock_;
  Listed* pieces_[kPieces] = {};
  std::uint32_t count_ = 1;  // 0 is none
  std::uint32_t free_ = kNone;
  bool has_marks_ = false;  // somewhere
  std::uint64_t dropped_ = 0;
};

template <bool kWrites, bool kAlone>
inline bool AccessCells::keep_own(Granule& granule, const AccessCell& fresh) {
  const AccessWord first(seen(granule.cells[0]).word() & ~AccessWord::kLock);
  const AccessWord second = seen(granule.cells[1]);
  const auto is_own = [&fresh](AccessWord word) {
    return word.is_none() || word.is_of_thread_of(fresh.access);
  };
  if (!is_own(first) || !is_own(second) || second.word() == kListed.word()) return false;
  if (!kAlone) {
    if (!lock_if(granule, first)) return false;
    if (seen(granule.cells[1]).word() != second.word()) {
      unlock(granule, first);
      return false;
    }
  }
  // A write takes the place of all there is, a read that of what does not write.
  if (!kWrites && first.writes()) {
    const bool room = !second.writes();
    if (room) {
      granule.cells[1].site = fresh.site;
      put(granule.cells[1], fresh.access);
    }
    unlock(granule, first);
    return room;
  }
  if (kWrites || !second.writes()) put(granule.cells[1], {});
  granule.cells[0].site = fresh.site;
  unlock(granule, fresh.access);
  return true;
}

inline bool AccessCells::renew(Granule& granule, const AccessCell& fresh,
                               const VectorClock& clock) {
  AccessCell& first = granule.cells[0];
  AccessCell& second = granule.cells[1];
  const bool alone = second.access.is_none();
  AccessCell& own = alone ? first : second;
  if (!own.access.differs_in_time_only(fresh.access)) return false;
  if (!alone) {
    const AccessWord other = first.access;
    if (fresh.access.writes() || !other.writes() || other.is_of_thread_of(fresh.access) ||
        other.tick() > tick_of(clock, other.thread().value)) {
      return false;
    }
  }
  if (!own.access.is_of_tick_of(fresh.access)) own = fresh;
  return true;
}

template <bool kAlone>
inline bool AccessCells::keep_simply(Granule& granule, const AccessCell& fresh,
                                     const VectorClock& clock) {
  if (knows(granule, fresh.access)) return true;
  const AccessWord before = kAlone ? granule.cells[0].access : lock(granule);
  AccessWord first = before;
  AccessWord second = granule.cells[1].access;
  if (second.word() == kListed.word() || !make_way(first, fresh.access, clock) ||
      !make_way(second, fresh.access, clock)) {
    unlock(granule, before);
    return false;
  }
  // The same instruction goes from byte to byte: one record.
  if (first.differs_in_bytes_only(fresh.access) && granule.cells[0].site == fresh.site) {
    first.add_bytes(fresh.access.mask());
  } else if (second.differs_in_bytes_only(fresh.access) && granule.cells[1].site == fresh.site) {
    second.add_bytes(fresh.access.mask());
  } else if (first.is_none()) {
    granule.cells[0].site = fresh.site;
    first = fresh.access;
  } else if (second.is_none()) {
    granule.cells[1].site = fresh.site;
    second = fresh.access;
  } else {
    unlock(granule, before);
    return false;
  }
  put(granule.cells[1], second);
  unlock(granule, first);
  return true;
}

// Of places that are free, one may stay for the time being: `*spare`, if that is asked for.
template <class Visit>
bool AccessCells::visit_list(Granule& granule, AccessCell** spare, Visit&& visit) {
  auto head = static_cast<std::uint32_t>(granule.cells[1].site.value);
  bool answered = false;
  for (std::uint32_t* link = &head; *link != kNone && !answered;) {
    const std::uint32_t index = *link;
    Listed& listed = at(index);
    bool used = false;
    for (AccessCell& cell : listed.cells) {
      if (!answered && !cell.access.is_none()) answered = visit(cell);
      const bool stays = cell.access.is_none() && spare != nullptr && *spare == nullptr;
      if (stays) *spare = &cell;
      used = used || stays || !cell.access.is_none();
    }
    if (used) {
      link = &listed.next;
    } else {
      *link = listed.next;
      give(index);
    }
  }
  granule.cells[1].site.value = head;
  if (head == kNone) put(granule.cells[1], {});
  return answered;
}

template <class Visit>
[[gnu::always_inline]] inline void AccessCells::update(Granule& granule, const AccessCell& fresh,
                                                       Visit&& visit) {
  AccessWord word = lock(granule);
  if (fresh.access.is_plain() && __atomic_load_n(&has_marks_, __ATOMIC_RELAXED)) {
    word = withdraw(granule, word, fresh.access, nullptr);
  }
  AccessCell first{word, granule.cells[0].site};
  AccessCell second = granule.cells[1];
  AccessCell* spare = nullptr;
  AccessCell* grows = nullptr;  // the same instruction goes from byte to byte: one record
  const auto look = [&](AccessCell & cell) __attribute__((always_inline)) {
    if (visit(cell)) return true;
    if (cell.site == fresh.site && cell.access.differs_in_bytes_only(fresh.access)) grows = &cell;
    return false;
  };
  bool answered = !first.access.is_none() && look(first);
  bool listed = is_listed(granule);
  if (!answered && listed) {
    answered = visit_list(granule, &spare, look);
    listed = is_listed(granule);
    if (!listed) second = {};
  } else if (!answered && !second.access.is_none()) {
    answered = look(second);
  }
  if (!answered) {
    if (grows != nullptr) {
      grows->access.add_bytes(fresh.access.mask());
    } else if (first.access.is_none()) {
      granule.cells[0].site = fresh.site;
      first.access = fresh.access;
    } else if (spare != nullptr) {
      *spare = fresh;
    } else if (!listed && second.access.is_none()) {
      granule.cells[1].site = fresh.site;
      second.access = fresh.access;
    } else {
      if (!listed) put(granule.cells[1], second.access);
      keep_in_list(granule, fresh);
      return unlock(granule, first.access);
    }
  }
  if (!listed) put(granule.cells[1], second.access);
  unlock(granule, first.access);
}

}  // namespace heddle
