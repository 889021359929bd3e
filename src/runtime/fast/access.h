// The path that nearly every memory access takes: count down, look at one shadow cell, return.
//
// Included by the stubs that are linked into instrumented modules and by the shared runtime, which serves modules built
// for TSan. Must need nothing but the two symbols of fast_state.h: it is compiled into other people's libraries.
#pragma once

#include <cstddef>
#include <cstdint>

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

template <std::size_t kSize, Alignment kAlignment>
[[gnu::always_inline]] inline void access(const void* address, EventKind kind, void* caller) {
  FastState& state = heddle_fast_state_v1;
  if (--state.skip >= 0) [[likely]]
    return;
  if (is_private<kSize, kAlignment>(state, address, kind)) return;
  heddle_access_slow_v1(address, kSize, static_cast<unsigned>(kind), caller);
}

// A range has no single shadow cell, and is rare: it is always looked at.
[[gnu::always_inline]] inline void access_range(const void* address, std::size_t size,
                                                EventKind kind, void* caller) {
  if (--heddle_fast_state_v1.skip >= 0 || size == 0) return;
  heddle_access_slow_v1(address, size, static_cast<unsigned>(kind), caller);
}

[[gnu::always_inline]] inline void enter_function(void* call_site) {
  FastState& state = heddle_fast_state_v1;
  if (state.keep_stack == 0) [[likely]]
    return;
  if (state.stack_top >= state.stack_limit) {
    ++state.stack_overflow;
    return;
  }
  *state.stack_top++ = call_site;
}

[[gnu::always_inline]] inline void leave_function() {
  FastState& state = heddle_fast_state_v1;
  if (state.keep_stack == 0) [[likely]]
    return;
  if (state.stack_overflow != 0) {
    --state.stack_overflow;
    return;
  }
  --state.stack_top;
}

}  // namespace heddle::runtime
