#include "runtime/recent_accesses.h"

#include <cstdint>

#include "runtime/platform/memory.h"

namespace heddle::runtime {
namespace {

struct Known {
  std::uint64_t address;
  std::uint64_t era;  // 0: nothing
  std::uint32_t size;
  bool writes;
};
constexpr std::size_t kPlaces = 4096;  // by address; a later one takes the place of an earlier

// Mapped when a thread first makes an access: thread-local memory is cut from its stack.
constinit thread_local Known* t_known = nullptr;
constinit thread_local std::uint64_t t_era = 1;
std::uint64_t g_era = 0;

std::uint64_t era_now() { return t_era + __atomic_load_n(&g_era, __ATOMIC_RELAXED); }

}  // namespace

bool access_is_known(const void* address, std::size_t size, EventKind kind) {
  if (t_known == nullptr) {
    t_known = static_cast<Known*>(map_memory(kPlaces * sizeof(Known)));
    if (t_known == nullptr) return false;
  }
  const auto number = reinterpret_cast<std::uint64_t>(address);
  Known& known = t_known[(number >> 2) % kPlaces];
  const bool writes = is_memory_write(kind);
  const std::uint64_t era = era_now();
  if (known.address == number && known.era == era && known.size >= size &&
      (known.writes || !writes)) {
    return true;
  }
  known = {number, era, static_cast<std::uint32_t>(size), writes};
  return false;
}

void forget_recent_accesses() { ++t_era; }
void forget_everybodys_accesses() { __atomic_fetch_add(&g_era, 1, __ATOMIC_RELAXED); }

}  // namespace heddle::runtime
