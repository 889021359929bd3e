// One step for what base/hash.h's combine() takes two steps for each number: at every point a few of these are made.
#pragma once

#include "base/hash.h"

namespace heddle::controlled {

// Of numbers that are hashes or small. Which is which matters.
constexpr std::uint64_t mix_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return mix64(a + b * 0x9e3779b97f4a7c15ULL + c * 0xd1342543de82ef95ULL);
}

}  // namespace heddle::controlled
