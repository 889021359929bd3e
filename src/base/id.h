// Strong identifiers: a ThreadId is never mistaken for a SiteId, and both are plain integers on disk.
#pragma once

#include <compare>
#include <cstdint>

namespace heddle {

template <class Tag, class Rep>
struct Id {
  using Value = Rep;
  Rep value;

  friend constexpr auto operator<=>(const Id&, const Id&) = default;
};

}  // namespace heddle
