// The path that nearly every memory access takes: count down, look at one shadow cell, return.
//
// Included by the stubs that are linked into instrumented modules and by the shared runtime, which serves modules built
// for TSan. Must need nothing but the two symbols of fast_state.h: it is compiled into other people's libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "analysis/access_cells.h"
#include "contract/event.h"
#include "runtime/fast/fast_state.h"

namespace heddle::runtime {

enum class Alignment { natural, any };

// True if the shadow cell of every 8-byte granule that the access touches says: this phase of this thread, and this kind
// of access is known. Before the thread's first look there is no shadow yet.
template <std::size_t kSize, Alignment kAlignment>
[[gnu::always_inline]] inline bool is_private(const FastState& state, const void* address,
                                              EventKind kind) {
  const std::uint16_t* const base = state.shadow_base;
  if (base == nullptr) [[unlikely]]
    return false;
  const auto where = reinterpret_cast<std::uint64_t>(address);
  const unsigned ignored =
      is_read_only(kind) ? 1 : 0;  // a read does not care whether it was written
  if ((base[(where >> 3) & state.shadow_mask] | ignored) != state.owner) return false;
  if constexpr (kSize > 8 || (kAlignment == Alignment::any && kSize > 1))
    return (base[((where + kSize - 1) >> 3) & state.shadow_mask] | ignored) == state.owner;
  return true;
}

// Runs keep(site, alone) for an access in that page, with whether it may do without locks; unless that takes the runtime: the thread
// is not where it was, or the page is another's. False: not kept. In the runtime already (a signal handler there) accesses go unseen.
template <class Keep>
[[gnu::always_inline]] inline bool keep_here(AccessCells::Page& page, void* caller, Keep&& keep) {
  const FastState& state = heddle_fast_state_v6;
  if (state.stack_top != state.context_top || state.stack_low < state.context_top) return false;
  if (*state.in_runtime) return true;
  *state.in_runtime = true;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  const SiteId site{reinterpret_cast<std::uint64_t>(caller) | state.context_site};
  auto* const user = static_cast<AccessCells::PageUser*>(state.page_user);
  bool kept = false;
  if (AccessCells::is_shared(page)) {
    kept = keep(site, std::false_type());
  } else if (user != nullptr && AccessCells::enter(page, *user)) {
    kept = keep(site, std::true_type());
    AccessCells::leave(*user);
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  *state.in_runtime = false;
  return kept;
}

// Keeps an access to bytes of one granule that fasttrack does not know yet, or asks the runtime to.
[[gnu::noinline, maybe_unused]] static void keep_access(AccessCells::Page* page, AccessWord word,
                                                        const void* address, unsigned size_and_kind,
                                                        void* caller) {
  const bool kept = keep_here(*page, caller, [&](SiteId site, auto alone) {
    const auto& clock = *static_cast<const VectorClock*>(heddle_fast_state_v6.tracked_clock);
    auto& granule = AccessCells::granule_in(*page, reinterpret_cast<std::uint64_t>(address));
    return AccessCells::keep_simply<alone>(granule, {word, site}, clock);
  });
  if (!kept) heddle_access_slow_v6(address, size_and_kind >> 8, size_and_kind & 0xff, caller);
}

// The same, faster, for an access to all the bytes of one, or of one and the next.
template <std::size_t kGranules, bool kWrites>
[[gnu::noinline]] static void keep_whole(AccessCells::Page* page, AccessWord word,
                                         const void* address, unsigned size_and_kind,
                                         void* caller) {
  const bool kept = keep_here(*page, caller, [&](SiteId site, auto alone) {
    auto* const granule = &AccessCells::granule_in(*page, reinterpret_cast<std::uint64_t>(address));
    for (std::size_t i = 0; i < kGranules; ++i) {
      // Of two, one may be known. A write may as well be kept again.
      if (!kWrites && kGranules > 1 && AccessCells::knows(granule[i], word)) continue;
      if (AccessCells::keep_own<kWrites, alone>(granule[i], {word, site})) continue;
      const auto& clock = *static_cast<const VectorClock*>(heddle_fast_state_v6.tracked_clock);
      if (!AccessCells::keep_simply<alone>(granule[i], {word, site}, clock)) return false;
    }
    return true;
  });
  if (!kept) heddle_access_slow_v6(address, size_and_kind >> 8, size_and_kind & 0xff, caller);
}

// Where fasttrack alone looks: nothing is to be done if it has seen this access, or one that tells more, since the thread last
// released anything. Answers false where it takes more than a look or two to tell. `limit`: the number of pages.
template <std::size_t kSize, Alignment kAlignment>
[[gnu::always_inline]] inline bool track(const FastState& state, std::uint64_t limit,
                                         const void* address, EventKind kind, void* caller) {
  const auto where = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t number = AccessCells::page_of(where);
  if (number >= limit) return false;
  auto* const page = static_cast<AccessCells::Page*>(state.tracked_pages[number]);
  if (page == nullptr) return false;
  const unsigned size_and_kind = static_cast<unsigned>(kSize) << 8 | static_cast<unsigned>(kind);
  if constexpr (kSize >= 8) {
    constexpr std::size_t kGranules = kSize / 8;
    const AccessCells::Granule* const granule = AccessCells::find_whole<kGranules>(*page, where);
    if (granule == nullptr) return false;
    AccessWord word(state.tracked_who | AccessWord::what_of(kind, 0xff));
    if (AccessCells::knows_whole<kGranules>(granule, word, AccessWord::whole(kind))) return true;
    if (state.tracked_limit == 0) return false;
    word.set_note(__atomic_load_n(state.sleeps_ended, __ATOMIC_RELAXED));
    is_memory_write(kind)
        ? keep_whole<kGranules, true>(page, word, address, size_and_kind, caller)
        : keep_whole<kGranules, false>(page, word, address, size_and_kind, caller);
  } else {
    const std::uint64_t offset = where & 7;
    if (kAlignment == Alignment::any && offset + kSize > 8) return false;
    const AccessCells::Granule& granule = AccessCells::granule_in(*page, where);
    const auto mask = static_cast<std::uint8_t>(((1u << kSize) - 1) << offset);
    AccessWord word(state.tracked_who | AccessWord::what_of(kind, mask));
    if (AccessCells::knows(granule, word)) return true;
    if (state.tracked_limit == 0) return false;
    word.set_note(__atomic_load_n(state.sleeps_ended, __ATOMIC_RELAXED));
    keep_access(page, word, address, size_and_kind, caller);
  }
  return true;
}

template <std::size_t kSize, Alignment kAlignment>
[[gnu::always_inline]] inline void access(const void* address, EventKind kind, void* caller) {
  FastState& state = heddle_fast_state_v6;
  if (--state.skip >= 0) [[likely]]
    return;
  std::uint64_t limit = state.tracked_limit;
  if (limit == 0) {
    if (!is_private<kSize, kAlignment>(state, address, kind) || state.skip <= kLongStretch) {
      return heddle_access_slow_v6(address, kSize, static_cast<unsigned>(kind), caller);
    }
    limit = state.private_limit;
    if (limit == 0) return;
  }
  if (track<kSize, kAlignment>(state, limit, address, kind, caller)) return;
  heddle_access_slow_v6(address, kSize, static_cast<unsigned>(kind), caller);
}

// A range has no single shadow cell, and is rare: it is always looked at.
[[gnu::always_inline]] inline void access_range(const void* address, std::size_t size,
                                                EventKind kind, void* caller) {
  if (--heddle_fast_state_v6.skip >= 0 || size == 0) return;
  heddle_access_slow_v6(address, size, static_cast<unsigned>(kind), caller);
}

[[gnu::always_inline]] inline void enter_function(void* call_site) {
  FastState& state = heddle_fast_state_v6;
  if (state.keep_stack == 0) [[likely]]
    return;
  if (state.stack_top >= state.stack_limit) {
    ++state.stack_overflow;
    return;
  }
  *state.stack_top++ = call_site;
}

[[gnu::always_inline]] inline void leave_function() {
  FastState& state = heddle_fast_state_v6;
  if (state.keep_stack == 0) [[likely]]
    return;
  if (state.stack_overflow != 0) {
    --state.stack_overflow;
    return;
  }
  --state.stack_top;
  if (state.stack_top < state.stack_low) state.stack_low = state.stack_top;
}

}  // namespace heddle::runtime
