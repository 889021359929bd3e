#pragma once

#include <cstdint>

namespace heddle {

// Strengths in time are milliseconds (DESIGN A2); disturbances are nanoseconds.
inline constexpr std::uint64_t kNanosecondsPerMillisecond = 1'000'000;

}  // namespace heddle
