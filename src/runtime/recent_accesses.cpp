#include "runtime/recent_accesses.h"

#include "runtime/platform/memory.h"

namespace heddle::runtime {
namespace {

// Mapped when a thread first makes an access: thread-local memory is cut from its stack.
constinit thread_local RecentAccesses* t_recent = nullptr;
constinit thread_local std::uint64_t t_era = 1;
std::uint64_t g_era = 0;

}  // namespace

bool access_is_known(const void* address, std::size_t size, EventKind kind) {
  if (t_recent == nullptr) {
    t_recent = static_cast<RecentAccesses*>(map_memory(sizeof(RecentAccesses)));
    if (t_recent == nullptr) return false;
  }
  const std::uint64_t era = t_era + __atomic_load_n(&g_era, __ATOMIC_RELAXED);
  return t_recent->knows(era, address, size, kind);
}

void forget_recent_accesses() { ++t_era; }
void forget_everybodys_accesses() { __atomic_fetch_add(&g_era, 1, __ATOMIC_RELAXED); }

}  // namespace heddle::runtime
