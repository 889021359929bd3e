// Hashing that gives the same answer on every machine, in every run, in both worlds.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle {

// A bijective finaliser (the one of splitmix64): every input bit reaches every output bit.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

// Order matters: combine(combine(0, a), b) differs from combine(combine(0, b), a).
constexpr std::uint64_t combine(std::uint64_t seed, std::uint64_t value) {
  return mix64(seed + 0x9e3779b97f4a7c15ULL + mix64(value));
}

constexpr std::uint64_t hash_bytes(const char* bytes, std::size_t length, std::uint64_t seed = 0) {
  std::uint64_t hash = seed ^ 0xcbf29ce484222325ULL;
  for (std::size_t i = 0; i < length; ++i) {
    hash = (hash ^ static_cast<unsigned char>(bytes[i])) * 0x100000001b3ULL;
  }
  return mix64(hash);
}

}  // namespace heddle
