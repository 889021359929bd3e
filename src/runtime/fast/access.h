// The path that nearly every memory access takes: count down, look at one shadow cell, return.
//
// Included by the stubs that are linked into instrumented modules and by the shared runtime, which serves modules built
// for TSan. Must need nothing but the two symbols of fast_state.h: it is compiled into other people's libraries.
#pragma once

#include <cstddef>
#include <cstdint>

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

// True if fasttrack has seen this access, or one that tells more, since the thread last released anything. False where it
// takes more than a look or two to tell.
template <std::size_t kSize, Alignment kAlignment>
[[gnu::always_inline]] inline bool is_tracked(const FastState& state, const void* address,
                                              EventKind kind) {
  const auto where = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t number = AccessCells::page_of(where);
  if (state.tracked_pages == nullptr || number >= AccessCells::kDirectoryPages) return false;
  constexpr std::uint64_t kFirst = kSize > 8 ? 8 : kSize;  // bytes in the first granule
  const std::uint64_t offset = where & 7;
  if (kAlignment == Alignment::any && offset + kFirst > 8) return false;
  const auto* const page = static_cast<const AccessCells::Page*>(state.tracked_pages[number]);
  if (page == nullptr) return false;
  const auto mask = static_cast<std::uint8_t>(((1u << kFirst) - 1) << offset);
  const AccessWord word(state.tracked_who | AccessWord::what_of(kind, mask));
  if (!AccessCells::knows(AccessCells::granule_in(*page, where), word)) return false;
  if constexpr (kSize > 8) {
    return AccessCells::page_of(where + 8) == number &&
           AccessCells::knows(AccessCells::granule_in(*page, where + 8), word);
  }
  return true;
}

template <std::size_t kSize, Alignment kAlignment>
[[gnu::always_inline]] inline void access(const void* address, EventKind kind, void* caller) {
  FastState& state = heddle_fast_state_v2;
  if (--state.skip >= 0) [[likely]]
    return;
  if (is_private<kSize, kAlignment>(state, address, kind)) return;
  if (is_tracked<kSize, kAlignment>(state, address, kind)) return;
  heddle_access_slow_v2(address, kSize, static_cast<unsigned>(kind), caller);
}

// A range has no single shadow cell, and is rare: it is always looked at.
[[gnu::always_inline]] inline void access_range(const void* address, std::size_t size,
                                                EventKind kind, void* caller) {
  if (--heddle_fast_state_v2.skip >= 0 || size == 0) return;
  heddle_access_slow_v2(address, size, static_cast<unsigned>(kind), caller);
}

[[gnu::always_inline]] inline void enter_function(void* call_site) {
  FastState& state = heddle_fast_state_v2;
  if (state.keep_stack == 0) [[likely]]
    return;
  if (state.stack_top >= state.stack_limit) {
    ++state.stack_overflow;
    return;
  }
  *state.stack_top++ = call_site;
}

[[gnu::always_inline]] inline void leave_function() {
  FastState& state = heddle_fast_state_v2;
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
