#include "analysis/access_cells.h"

namespace heddle {

void AccessCells::begin_run(Arena& arena, Directory* directory) {
  arena_ = &arena;
  directory_ = directory;
  pages_.begin_run(arena);
  for (std::uint32_t i = 0; i <= count_ >> kPieceShift && i < kPieces; ++i) pieces_[i] = nullptr;
  count_ = 1;
  free_ = kNone;
  dropped_ = 0;
}

AccessCells::Page* AccessCells::look_up(std::uint64_t number) {
  const SpinGuard guard(pages_lock_);
  Page** const kept = pages_.find_or_make(number);
  // Not made(): writing zeroes to it would use all of it at once.
  if (kept != nullptr && *kept == nullptr) *kept = arena_->make_array<Page>(1);
  if (kept == nullptr || *kept == nullptr) {
    drop();
    return nullptr;
  }
  if (directory_ != nullptr && number < kDirectoryPages) {
    __atomic_store_n(&directory_[number], *kept, __ATOMIC_RELEASE);
  }
  return *kept;
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

bool AccessCells::keep_beside(Granule& granule, const AccessCell& fresh) {
  constexpr unsigned kMostLooks = 4;  // where a list is longer, somebody should make it shorter
  const AccessWord first = lock(granule);
  AccessCell* place = nullptr;
  bool replaces = false;
  const auto passes = [&](AccessCell& cell, AccessWord earlier) {
    if (earlier.is_none()) {
      if (place == nullptr) place = &cell;
      return true;
    }
    if (!earlier.shares_bytes(fresh.access)) return true;
    if (!earlier.is_of_thread_of(fresh.access)) return !fresh.access.conflicts_with(earlier);
    if (!fresh.access.covers(earlier)) return true;
    // Its own earlier one is to go. All of it must, and no second one.
    const bool only = !replaces && fresh.access.says_all_of(earlier);
    replaces = true;
    place = &cell;
    return only;
  };
  bool simple = is_listed(granule) && passes(granule.cells[0], first);
  unsigned looks = 0;
  for (auto at_now = static_cast<std::uint32_t>(granule.cells[1].site.value);
       simple && at_now != kNone; at_now = at(at_now).next) {
    simple = ++looks <= kMostLooks;
    for (AccessCell& cell : at(at_now).cells) simple = simple && passes(cell, cell.access);
  }
  simple = simple && place != nullptr;
  if (simple) place->site = fresh.site;
  if (simple && place != &granule.cells[0]) place->access = fresh.access;
  unlock(granule, simple && place == &granule.cells[0] ? fresh.access : first);
  return simple;
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

void AccessCells::forget(std::uint64_t start, std::uint64_t size) {
  const std::uint64_t end = start + size;
  for (std::uint64_t number = page_of(start); number << kPageShift < end; ++number) {
    Page* const page = find_page(number);
    if (page == nullptr) continue;
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
