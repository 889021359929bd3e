// Randomness from outside, pinned in a controlled run: the same bytes for the same thread in every run, whatever the
// run's seed, so that what is learned about the program in one run holds in the next. What comes from the rdrand instruction,
// or character by character from a stream on /dev/urandom, stays as it is.
#include <sys/auxv.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/types.h>

#include <cerrno>
#include <cstdint>

#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/random_bytes.h"
#include "runtime/thread_path.h"

namespace heddle::runtime {
namespace {

HEDDLE_REAL Real<ssize_t(void*, std::size_t, unsigned)> real_getrandom{"getrandom"};
HEDDLE_REAL Real<int(void*, std::size_t)> real_getentropy{"getentropy"};
HEDDLE_REAL Real<std::uint32_t()> real_arc4random{"arc4random"};
HEDDLE_REAL Real<void(void*, std::size_t)> real_arc4random_buf{"arc4random_buf"};
HEDDLE_REAL Real<std::uint32_t(std::uint32_t)> real_arc4random_uniform{"arc4random_uniform"};
HEDDLE_REAL Real<unsigned(void*)> real_random_device{"_ZNSt13random_device9_M_getvalEv"};

constexpr std::uint64_t kSeed = 0x6865'6464'6c65;  // fixed for good: results are stored
constinit thread_local std::uint64_t t_draws = 0;

std::uint64_t draw() { return combine(combine(kSeed, current_thread().path_hash), ++t_draws); }

void fill(void* buffer, std::size_t size) {
  auto* const bytes = static_cast<unsigned char*>(buffer);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (i % 8 == 0) word = draw();
    bytes[i] = static_cast<unsigned char>(word >> (i % 8 * 8));
  }
}

// Not under_control(): a thread that is outside for a moment must still get the same bytes.
bool pinned_randomness() {
  return (controlled() || before_controlled_run()) && !current_thread().in_runtime;
}

constexpr unsigned kMemoryDevices = 1;  // the kernel's major number, and of those
constexpr unsigned kRandom = 8;
constexpr unsigned kUrandom = 9;
constexpr std::size_t kAuxiliaryBytes = 16;

}  // namespace

void pin_if_random(int descriptor, void* bytes, std::size_t size) {
  if (!pinned_randomness() || size == 0) return;
  const int saved = errno;
  struct stat status {};
  const bool known = fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode);
  errno = saved;
  if (!known || major(status.st_rdev) != kMemoryDevices) return;
  const unsigned device = minor(status.st_rdev);
  if (device == kRandom || device == kUrandom) fill(bytes, size);
}

void pin_auxiliary_bytes() {
  auto* const bytes = reinterpret_cast<void*>(getauxval(AT_RANDOM));
  if (bytes != nullptr) fill(bytes, kAuxiliaryBytes);
}

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT ssize_t getrandom(void* buffer, std::size_t size, unsigned flags) {
  if (!pinned_randomness()) return real_getrandom(buffer, size, flags);
  fill(buffer, size);
  return static_cast<ssize_t>(size);
}

HEDDLE_EXPORT int getentropy(void* buffer, std::size_t size) {
  if (!pinned_randomness() || size > 256) return real_getentropy(buffer, size);
  fill(buffer, size);
  return 0;
}

HEDDLE_EXPORT std::uint32_t arc4random() noexcept {
  return pinned_randomness() ? static_cast<std::uint32_t>(draw()) : real_arc4random();
}

HEDDLE_EXPORT void arc4random_buf(void* buffer, std::size_t size) noexcept {
  if (!pinned_randomness()) return real_arc4random_buf(buffer, size);
  fill(buffer, size);
}

HEDDLE_EXPORT std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
  if (!pinned_randomness()) return real_arc4random_uniform(bound);
  return bound < 2 ? 0 : static_cast<std::uint32_t>(((draw() >> 32) * bound) >> 32);
}

// std::random_device::operator().
HEDDLE_EXPORT unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
  if (pinned_randomness() || !real_random_device.exists()) return static_cast<unsigned>(draw());
  return real_random_device(device);
}
