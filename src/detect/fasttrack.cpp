#include "detect/fasttrack.h"

namespace heddle {

namespace {

// Of the accesses that one access races with, in one granule: others wait for the next time.
constexpr std::size_t kMostTold = 16;

}  // namespace

void FastTrack::begin_run(const DetectorContext& context) {
  context_ = context;
  cells_.begin_run(*context.arena, context.directory, context.barrier);
  sleeps_.clear();
  books_.clear();
  users_.clear();
  sleeps_ended_ = 0;
}

// `was_here`: the thread had made an access to some of the bytes before.
void FastTrack::report(const AccessCell& earlier, const Access& access, std::uint64_t granule,
                       std::uint8_t bytes, bool was_here) {
  const ThreadId first = earlier.access.thread();
  Finding finding{};
  finding.kind = FindingKind::race;
  finding.detector = context_.self;
  finding.first_kind = earlier.access.kind();
  finding.second_kind = access.kind;
  finding.first_thread = first;
  finding.second_thread = access.thread;
  finding.object = ObjectId{(granule << 3) + static_cast<unsigned>(__builtin_ctz(bytes))};
  finding.first_site = earlier.site;
  finding.second_site = access.site;
  finding.second_step = access.step;
  finding.detail = bytes;
  context_.findings->report(finding);
  if (!earlier.access.writes()) {
    __atomic_store_n(&sleeps_[first.value].polls, true, __ATOMIC_RELAXED);
  }
  const Sleep& sleep = sleeps_[access.thread.value];
  const bool before_it_ended = earlier.access.note() < sleep.number;
  if (!before_it_ended || was_here || __atomic_load_n(&sleep.polls, __ATOMIC_RELAXED)) return;
  finding.kind = FindingKind::sleep_sync;
  finding.begun_site = sleep.site;
  finding.detail = 0;
  context_.findings->report(finding);
}

void FastTrack::granule(const Access& access, std::uint64_t granule, AccessCells::Granule& cells,
                        const AccessCell& fresh) {
  const AccessWord word = fresh.access;
  std::uint8_t own = 0;             // bytes that the thread had been at
  std::uint64_t racing[kMostTold];  // told when the granule is free again
  std::uint64_t sites[kMostTold];
  std::size_t races = 0;
  const VectorClock& clock = context_.order->clock(access.thread);
  const bool blind = context_.order->blind();
  cells_.update(
      cells, fresh, [&](AccessCell & earlier) __attribute__((always_inline)) {
        const auto bytes = static_cast<std::uint8_t>(earlier.access.mask() & word.mask());
        if (bytes == 0) return false;
        const ThreadId first = earlier.access.thread();
        if (first == access.thread) own |= bytes;
        if (first == access.thread || blind ||
            earlier.access.tick() <= tick_of(clock, first.value)) {
          if (earlier.access.knows(word)) return true;  // same epoch: nothing new
          if (word.covers(earlier.access)) earlier.access.take_bytes(bytes);
        } else if (word.conflicts_with(earlier.access) && races < kMostTold) {
          racing[races] = earlier.access.word();
          sites[races++] = earlier.site.value;
        }
        return false;
      });
  for (std::size_t i = 0; i < races; ++i) {
    const AccessCell earlier{AccessWord(racing[i]), SiteId{sites[i]}};
    const auto bytes = static_cast<std::uint8_t>(earlier.access.mask() & word.mask());
    report(earlier, access, granule, bytes, (own & bytes) != 0);
  }
}

template <bool kAlone>
AccessCells::Page* FastTrack::page_of(std::uint64_t address, ThreadId thread) {
  const std::uint64_t number = AccessCells::page_of(address);
  return kAlone ? cells_.page(number) : cells_.page_for(number, page_user(thread));
}

template <bool kAlone>
inline void FastTrack::look(const Access& access) {
  if (access.size == 0) return;  // it orders threads and touches nothing, or no byte of a range
  const VectorClock& clock = context_.order->clock(access.thread);
  const std::uint32_t tick = tick_of(clock, access.thread.value);
  const std::uint64_t end = access.start + access.size;
  for (std::uint64_t at = access.start >> 3; at << 3 < end; ++at) {
    AccessCells::Page* const page = page_of<kAlone>(at << 3, access.thread);
    if (page == nullptr) continue;
    AccessCells::Granule& cells = AccessCells::granule_in(*page, at << 3);
    const AccessWord word(access.thread, tick, access.kind,
                          AccessCells::mask_of(at, access.start, end));
    if (AccessCells::knows(cells, word)) continue;
    AccessCell fresh{word, access.site};
    fresh.access.set_note(__atomic_load_n(&sleeps_ended_, __ATOMIC_RELAXED));
    if (!AccessCells::keep_simply<kAlone>(cells, fresh, clock)) granule(access, at, cells, fresh);
  }
}

void FastTrack::access(const Access& access) { look<false>(access); }

void FastTrack::access_alone(const Access& access) {
  const std::uint64_t start = access.start;
  const std::uint64_t offset = start & 7;
  if (offset + access.size > 8 || access.size == 0) return look<true>(access);
  AccessCells::Page* const page = page_of<true>(start, access.thread);
  if (page == nullptr) return;
  AccessCells::Granule& cells = AccessCells::granule_in(*page, start);
  const VectorClock& clock = context_.order->clock(access.thread);
  const auto mask = static_cast<std::uint8_t>(((1u << access.size) - 1) << offset);
  AccessCell fresh{{access.thread, tick_of(clock, access.thread.value), access.kind, mask},
                   access.site};
  if (AccessCells::knows(cells, fresh.access)) return;
  fresh.access.set_note(sleeps_ended_);
  if (mask == 0xff && fresh.access.is_plain()) {
    const bool kept = fresh.access.writes() ? AccessCells::keep_own<true, true>(cells, fresh)
                                            : AccessCells::keep_own<false, true>(cells, fresh);
    if (kept) return;
  }
  if (!AccessCells::keep_simply<true>(cells, fresh, clock)) {
    granule(access, start >> 3, cells, fresh);
  }
}

// What its book does not know, or cannot be told.
template <bool kAlone>
void FastTrack::keep_atomic(const Access& access, AccessWord word, AtomicBook& book) {
  AccessCells::Page* const page = page_of<kAlone>(access.start, access.thread);
  if (page == nullptr) return;
  AccessCells::Granule& cells = AccessCells::granule_in(*page, access.start);
  if ((access.start & 7) + access.size <= 8) {
    const AccessWord bare = word;
    word.set_note(__atomic_load_n(&sleeps_ended_, __ATOMIC_RELAXED));
    const AccessCell fresh{word, access.site};
    const VectorClock& clock = context_.order->clock(access.thread);
    if (kAlone && AccessCells::renew(cells, fresh, clock)) return;
    if (AccessCells::knows(cells, bare)) return;
    if (kAlone && AccessCells::keep_simply<true>(cells, fresh, clock)) return;
    const AccessCells::Beside beside = cells_.keep_beside(cells, fresh, clock);
    if (beside == AccessCells::Beside::kept_again && book.has_room_for(access.start)) {
      BookEntry& entry = book.entry_for(access.start);
      if (entry.start() != 0) cells_.close(entry);
      cells_.book(cells, fresh, access.start, entry);
    }
    if (beside != AccessCells::Beside::no) return;
  }
  look<kAlone>(access);
}
template void FastTrack::keep_atomic<false>(const Access&, AccessWord, AtomicBook&);
template void FastTrack::keep_atomic<true>(const Access&, AccessWord, AtomicBook&);

void FastTrack::sleep_ended(const Event& event) {
  const std::uint32_t number = __atomic_add_fetch(&sleeps_ended_, 1, __ATOMIC_RELAXED);
  Sleep& sleep = sleeps_[event.thread.value];
  sleep.site = event.site;
  // From here on it cannot be told what came before.
  sleep.number = number <= AccessWord::kMostNote ? number : 0;
}

void FastTrack::on(const Event& event) {
  if (event.kind == EventKind::allocate) {
    return cells_.forget(event.object.value, event.argument, page_user(event.thread));
  }
  if (event.kind == EventKind::sleep) return sleep_ended(event);
  if (event.phase == EventPhase::before) return;
  if (!is_plain_access(event.kind) && !is_atomic(event.kind)) return;
  access({event.thread, carried_out(event), event.site, event.object.value, access_size(event),
          event.step});
}

}  // namespace heddle
