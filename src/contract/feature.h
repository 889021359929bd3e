// A behaviour that was covered: an opaque 64-bit number, readable only through the metric that made it.
#pragma once

#include <cstdint>

#include "base/id.h"

namespace heddle {

using Feature = Id<struct FeatureTag, std::uint64_t>;

}  // namespace heddle
