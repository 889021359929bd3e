// The one source of randomness: a seed in, the same numbers out, on every machine.
// xoshiro256** (Blackman, Vigna), seeded through splitmix64 so that neighbouring seeds are unrelated.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace heddle {

class Prng {
 public:
  constexpr Prng() : Prng(0) {}
  constexpr explicit Prng(std::uint64_t seed) { reseed(seed); }

  constexpr void reseed(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      word = mix64(seed);
    }
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t carried = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= carried;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound); 0 when bound is 0. Multiply-shift: the bias is below 2^-32 for any bound we use.
  constexpr std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }

  // Uniform in [low, high], both included.
  constexpr std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + below(high - low + 1);
  }

  constexpr bool chance(std::uint64_t numerator, std::uint64_t denominator) {
    return below(denominator) < numerator;
  }

 private:
  static constexpr std::uint64_t rotate(std::uint64_t x, int by) {
    return (x << by) | (x >> (64 - by));
  }

  std::uint64_t state_[4] = {};
};

}  // namespace heddle
