// Memory accesses as a module built for TSan reports them: the same callbacks as the static stubs, exported, and the
// rarer ones that need the runtime anyway.
#include <cstddef>

#include "runtime/access.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

#define HEDDLE_ACCESS_ENTRY HEDDLE_EXPORT
#include "runtime/fast/access_entries.h"

using heddle::runtime::Real;

namespace {

HEDDLE_REAL Real<void*(void*, const void*, std::size_t)> real_memcpy{"memcpy"};
HEDDLE_REAL Real<void*(void*, const void*, std::size_t)> real_memmove{"memmove"};
HEDDLE_REAL Real<void*(void*, int, std::size_t)> real_memset{"memset"};

}  // namespace

// Callers that know their own site (Go's runtime, hand-written annotations) pass it.
HEDDLE_EXPORT void __tsan_read1_pc(void* address, void* site) {
  access<1, kNatural>(address, EventKind::read, site);
}
HEDDLE_EXPORT void __tsan_read2_pc(void* address, void* site) {
  access<2, kNatural>(address, EventKind::read, site);
}
HEDDLE_EXPORT void __tsan_read4_pc(void* address, void* site) {
  access<4, kNatural>(address, EventKind::read, site);
}
HEDDLE_EXPORT void __tsan_read8_pc(void* address, void* site) {
  access<8, kNatural>(address, EventKind::read, site);
}
HEDDLE_EXPORT void __tsan_read16_pc(void* address, void* site) {
  access<16, kNatural>(address, EventKind::read, site);
}
HEDDLE_EXPORT void __tsan_write1_pc(void* address, void* site) {
  access<1, kNatural>(address, EventKind::write, site);
}
HEDDLE_EXPORT void __tsan_write2_pc(void* address, void* site) {
  access<2, kNatural>(address, EventKind::write, site);
}
HEDDLE_EXPORT void __tsan_write4_pc(void* address, void* site) {
  access<4, kNatural>(address, EventKind::write, site);
}
HEDDLE_EXPORT void __tsan_write8_pc(void* address, void* site) {
  access<8, kNatural>(address, EventKind::write, site);
}
HEDDLE_EXPORT void __tsan_write16_pc(void* address, void* site) {
  access<16, kNatural>(address, EventKind::write, site);
}
HEDDLE_EXPORT void __tsan_read_range_pc(void* address, std::size_t size, void* site) {
  access_range(address, size, EventKind::read_range, site);
}
HEDDLE_EXPORT void __tsan_write_range_pc(void* address, std::size_t size, void* site) {
  access_range(address, size, EventKind::write_range, site);
}

// clang 15 and later copy aggregates with these. The real functions are called past our own interposers, which would
// report the same access a second time.
HEDDLE_EXPORT void* __tsan_memcpy(void* target, const void* source, std::size_t size) {
  access_range(source, size, EventKind::read_range, HEDDLE_CALLER);
  access_range(target, size, EventKind::write_range, HEDDLE_CALLER);
  return real_memcpy(target, source, size);
}
HEDDLE_EXPORT void* __tsan_memmove(void* target, const void* source, std::size_t size) {
  access_range(source, size, EventKind::read_range, HEDDLE_CALLER);
  access_range(target, size, EventKind::write_range, HEDDLE_CALLER);
  return real_memmove(target, source, size);
}
HEDDLE_EXPORT void* __tsan_memset(void* target, int value, std::size_t size) {
  access_range(target, size, EventKind::write_range, HEDDLE_CALLER);
  return real_memset(target, value, size);
}

// An object of a library that is not instrumented, reported by that library.
HEDDLE_EXPORT void __tsan_external_read(void* address, void* site, void*) {
  access<1, kNatural>(address, EventKind::read, site);
}
HEDDLE_EXPORT void __tsan_external_write(void* address, void* site, void*) {
  access<1, kNatural>(address, EventKind::write, site);
}

// What instrumented modules call from their constructors, before or after ours. The runtime starts itself
// (start-up code is idempotent and runs before main).
HEDDLE_EXPORT void __tsan_init() { heddle::runtime::note_instrumented_module(); }
