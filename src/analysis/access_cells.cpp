#include "analysis/access_cells.h"

namespace heddle {

void AccessCells::begin_run(Arena& arena, Directory* directory, void (*barrier)()) {
  arena_ = &arena;
  directory_ = directory;
  barrier_ = barrier;
  pages_.begin_run(arena);
  for (std::uint32_t i = 0; i <= count_ >> kPieceShift && i < kPieces; ++i) pieces_[i] = nullptr;
  count_ = 1;
  free_ = kNone;
  has_marks_ = false;
  dropped_ = 0;
}

AccessCells::Page* AccessCells::look_up(std::uint64_t number, PageUser* user) {
  const SpinGuard guard(pages_lock_);
  Page** const kept = pages_.find_or_make(number);
  if (kept != nullptr && *kept == nullptr) {
    // Not made(): writing zeroes to it would use all of it at once.
    *kept = arena_->make_array<Page>(1);
    if (*kept != nullptr && user != nullptr) (*kept)->owner = user;
  }
  if (kept == nullptr || *kept == nullptr) {
    drop();
    return nullptr;
  }
  if (directory_ != nullptr && number < kDirectoryPages) {
    __atomic_store_n(&directory_[number], *kept, __ATOMIC_RELEASE);
  }
  return *kept;
}

// The owner is inside for some instructions. It stays there where a signal handler stops it (as collectors of garbage do), or has
// jumped away for good: then it is not waited for any longer, for else the program would stand still.
static constexpr unsigned kMostLooksInside = 1u << 16;

// The owner says where it is before it looks whether the page is its own, and we write before we look where it is. With a barrier
// on both sides in between, it sees that the page is not its own any more, or we see it inside.
void AccessCells::take_away(Page& page) {
  PageUser* owner = __atomic_load_n(&page.owner, __ATOMIC_ACQUIRE);
  if (owner != nullptr && owner != &nobody_ &&
      __atomic_compare_exchange_n(&page.owner, &owner, &nobody_, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_ACQUIRE)) {
    barrier_();
    for (unsigned looks = 0;
         looks < kMostLooksInside && __atomic_load_n(&owner->inside, __ATOMIC_ACQUIRE) == &page;) {
      wait_a_little(looks++);
    }
    __atomic_store_n(&page.owner, nullptr, __ATOMIC_RELEASE);
    return;
  }
  for (unsigned looks = 0; !is_shared(page);) wait_a_little(looks++);  // another does it
}

AccessCells::Page* AccessCells::find_page(std::uint64_t number) {
  const SpinGuard guard(pages_lock_);
  Page** const kept = pages_.find(number);
  return kept == nullptr ? nullptr : *kept;
}

std::uint32_t AccessCells::take() {
  const SpinGuard guard(list_lock_);
  if (free_ != kNone) {
    const std::uint32_t index = free_;
    free_ = at(index).next;
    return index;
  }
  const std::uint32_t piece = count_ >> kPieceShift;
  if (piece >= kPieces) return kNone;
  if (pieces_[piece] == nullptr) {
    pieces_[piece] = arena_->make_array<Listed>(std::size_t{1} << kPieceShift);
    if (pieces_[piece] == nullptr) return kNone;
  }
  return count_++;
}

void AccessCells::give(std::uint32_t index) {
  const SpinGuard guard(list_lock_);
  at(index).next = free_;
  free_ = index;
}

// The second cell moves to the list when it becomes its head.
void AccessCells::keep_in_list(Granule& granule, const AccessCell& fresh) {
  const std::uint32_t index = take();
  if (index == kNone) return drop();
  const bool first = !is_listed(granule);
  const auto next = first ? kNone : static_cast<std::uint32_t>(granule.cells[1].site.value);
  at(index) = {{fresh, first ? granule.cells[1] : AccessCell{}, {}}, next};
  granule.cells[1].site.value = index;
  put(granule.cells[1], kListed);
}

template <class Visit>
bool AccessCells::visit_few(Granule& granule, AccessWord first, Visit&& visit) {
  constexpr unsigned kMostLooks = 4;  // where a list is longer, somebody should make it shorter
  if (!visit(granule.cells[0], first)) return false;
  if (!is_listed(granule)) return visit(granule.cells[1], granule.cells[1].access);
  unsigned looks = 0;
  for (auto at_now = static_cast<std::uint32_t>(granule.cells[1].site.value); at_now != kNone;
       at_now = at(at_now).next) {
    if (++looks > kMostLooks) return false;
    for (AccessCell& cell : at(at_now).cells) {
      if (!visit(cell, cell.access)) return false;
    }
  }
  return true;
}

AccessCells::Beside AccessCells::keep_beside(Granule& granule, const AccessCell& fresh,
                                             const VectorClock& clock) {
  const AccessWord first = lock(granule);
  AccessCell* place = nullptr;
  bool replaces = false;
  bool others = false;
  const bool passed = visit_few(granule, first, [&](AccessCell& cell, AccessWord earlier) {
    if (earlier.is_none()) {
      if (place == nullptr) place = &cell;
      return true;
    }
    if (!earlier.shares_bytes(fresh.access)) return true;
    if (!earlier.is_of_thread_of(fresh.access)) {
      others = others || !earlier.is_plain();
      return !fresh.access.conflicts_with(earlier) ||
             earlier.tick() <= tick_of(clock, earlier.thread().value);
    }
    if (!fresh.access.covers(earlier)) return true;
    // Its own earlier one is to go. All of it must, and no second one.
    const bool only = !replaces && fresh.access.says_all_of(earlier);
    replaces = true;
    place = &cell;
    return only;
  });
  if (!passed || place == nullptr) {
    unlock(granule, first);
    return Beside::no;
  }
  place->site = fresh.site;
  const bool in_first = place == &granule.cells[0];
  if (!in_first) put(*place, fresh.access);
  unlock(granule, in_first ? fresh.access : first);
  return replaces && others ? Beside::kept_again : Beside::kept;
}

void AccessCells::book(Granule& granule, const AccessCell& fresh, std::uint64_t start,
                       BookEntry& entry) {
  AccessWord first = lock(granule);
  AccessCell* place = nullptr;
  AccessCell* older = nullptr;
  visit_few(granule, first, [&](AccessCell& cell, AccessWord earlier) {
    if (earlier.word() == fresh.access.word()) {
      place = &cell;
    } else if (earlier.is_of_thread_of(fresh.access) && earlier.has_bytes_of(fresh.access) &&
               earlier.writes() && !earlier.is_plain() && !earlier.is_mark()) {
      older = &cell;
    }
    return true;
  });
  if (place != nullptr) {
    const AccessWord mark = AccessWord::mark(fresh.access);
    const auto set = [&](AccessCell& cell, AccessWord word) {
      &cell == &granule.cells[0] ? static_cast<void>(first = word) : put(cell, word);
    };
    entry.begin(start, mark, place);
    if (older != nullptr) {
      entry.put({older == &granule.cells[0] ? first : older->access, older->site});
      set(*older, {});
    }
    entry.put(fresh);
    place->site.value = reinterpret_cast<std::uint64_t>(&entry);
    set(*place, mark);
    __atomic_store_n(&has_marks_, true, __ATOMIC_RELAXED);
  }
  unlock(granule, first);
}

void AccessCells::close(BookEntry& entry) {
  Page* const kept = page_for(page_of(entry.start()), nullptr);
  if (kept == nullptr) return;
  Granule& granule = granule_in(*kept, entry.start());
  unlock(granule, withdraw(granule, lock(granule), {}, &entry));
  entry.end();
}

AccessWord AccessCells::withdraw(Granule& granule, AccessWord first, AccessWord fresh,
                                 const BookEntry* only) {
  const auto goes = [&](AccessWord word, SiteId site) {
    if (!word.is_mark()) return false;
    return only == nullptr ? word.shares_bytes(fresh)
                           : site.value == reinterpret_cast<std::uint64_t>(only);
  };
  // The mark is gone before the book is looked into. Returns what is to be in its place; `*more` is to be kept, too.
  const auto open = [](AccessCell& cell, AccessWord mark, AccessWord meanwhile, AccessCell* more) {
    const auto& entry = *reinterpret_cast<const BookEntry*>(cell.site.value);
    put(cell, meanwhile);
    BookEntry::Said said = entry.said();
    const auto others = static_cast<std::uint8_t>(~mark.mask());
    said.write.access.take_bytes(others);
    said.read.access.take_bytes(others);
    const bool wrote = !said.write.access.is_none();
    if (wrote) *more = said.read;
    cell.site = wrote ? said.write.site : said.read.site;
    return wrote ? said.write.access : said.read.access;
  };
  AccessCell more[2] = {};
  if (goes(first, granule.cells[0].site)) {
    first = open(granule.cells[0], first, AccessWord(AccessWord::kLock), &more[0]);
  }
  if (is_listed(granule)) {
    for (auto at_now = static_cast<std::uint32_t>(granule.cells[1].site.value); at_now != kNone;
         at_now = at(at_now).next) {
      for (AccessCell& cell : at(at_now).cells) {
        if (!goes(cell.access, cell.site)) continue;
        AccessCell read{};
        put(cell, open(cell, cell.access, {}, &read));
        if (!read.access.is_none()) keep_in_list(granule, read);
      }
    }
  } else if (AccessCell& second = granule.cells[1]; goes(second.access, second.site)) {
    put(second, open(second, second.access, {}, &more[1]));
  }
  for (const AccessCell& read : more) {
    if (!read.access.is_none()) keep_in_list(granule, read);
  }
  return first;
}

void AccessCells::forget_in(Granule& granule, std::uint8_t bytes) {
  if (seen(granule.cells[0]).is_none() && seen(granule.cells[1]).is_none()) return;
  AccessWord first = lock(granule);
  first.take_bytes(bytes);
  if (is_listed(granule)) {
    visit_list(granule, nullptr, [bytes](AccessCell& cell) {
      cell.access.take_bytes(bytes);
      return false;
    });
  } else {
    AccessWord second = granule.cells[1].access;
    second.take_bytes(bytes);
    put(granule.cells[1], second);
  }
  unlock(granule, first);
}

void AccessCells::forget(std::uint64_t start, std::uint64_t size, PageUser* user) {
  const std::uint64_t end = start + size;
  for (std::uint64_t number = page_of(start); number << kPageShift < end; ++number) {
    Page* const page = find_page(number);
    if (page == nullptr) continue;
    make_open_to(*page, user);
    const std::uint64_t page_start = number << kPageShift;
    const std::uint64_t page_end = page_start + (std::uint64_t{1} << kPageShift);
    const std::uint64_t first = (start > page_start ? start : page_start) >> 3;
    const std::uint64_t last = ((end < page_end ? end : page_end) - 1) >> 3;
    for (std::uint64_t granule = first; granule <= last; ++granule) {
      forget_in(granule_in(*page, granule << 3), mask_of(granule, start, end));
    }
  }
}

}  // namespace heddle
