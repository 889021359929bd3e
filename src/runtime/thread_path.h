// A thread's name that survives runs: the path of "n-th child of" from main down (DESIGN B3).
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace heddle::runtime {

inline constexpr std::uint64_t kMainPath = mix64(1);

constexpr std::uint64_t child_path(std::uint64_t parent_path, std::uint16_t child_number) {
  return combine(parent_path, std::uint64_t{child_number} + 1);
}

// The seed of a thread's own randomness: the same for the same thread whatever the others do.
constexpr std::uint64_t thread_seed(std::uint64_t run_seed, std::uint64_t path) {
  return combine(run_seed, path);
}

}  // namespace heddle::runtime
