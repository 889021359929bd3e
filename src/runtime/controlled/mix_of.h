// One multiplication for what base/hash.h's combine() takes four for: at every point a few of these are made, each waiting for
// the one before.
#pragma once

#include <cstdint>

namespace heddle::controlled {

// Of numbers that are hashes or small. Which is which matters. The two halves of a product, put together, depend on every bit of
// both factors.
constexpr std::uint64_t mix_of(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const auto product =
      static_cast<unsigned __int128>(a + b * 0x9e3779b97f4a7c15ULL + 0xa0761d6478bd642fULL) *
      (c * 0xd1342543de82ef95ULL ^ 0xe7037ed1a0b428dbULL);
  return static_cast<std::uint64_t>(product >> 64) ^ static_cast<std::uint64_t>(product);
}

}  // namespace heddle::controlled
