// Variables as placements tell them apart: words of eight bytes, so that the parts of one are one.
#pragma once

#include <cstdint>

#include "contract/event.h"

namespace heddle {

constexpr std::uint64_t variable_of(const Event& event) {
  return event.object.value & ~std::uint64_t{7};
}

// Plain or atomic; a fence touches nothing.
constexpr bool is_access(EventKind kind) { return is_memory_read(kind) || is_memory_write(kind); }

}  // namespace heddle
