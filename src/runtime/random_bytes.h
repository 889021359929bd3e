// Randomness from outside, pinned in a controlled run; see interpose_random.cpp.
#pragma once

#include <cstddef>

namespace heddle::runtime {

// Bytes were read from a descriptor: if it is /dev/urandom or /dev/random, they become the run's own. Preserves errno.
void pin_if_random(int descriptor, void* bytes, std::size_t size);

// What the kernel gave the process at its start (AT_RANDOM). libc has taken from it what it needs.
void pin_auxiliary_bytes();

}  // namespace heddle::runtime
