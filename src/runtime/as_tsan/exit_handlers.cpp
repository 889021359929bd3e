// In the copies that take the place of a sanitizer's runtime only. Programs have `atexit` from the part of libc that is linked into
// them; those linked with that runtime have it from there.
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

namespace {

using heddle::runtime::Real;

HEDDLE_REAL Real<int(void (*)(void*), void*, void*)> real_at_exit{"__cxa_atexit"};

}  // namespace

// Like the sanitizer's: of no library, so that it is called at exit and not when one is closed.
HEDDLE_EXPORT int atexit(void (*handler)()) noexcept {
  return real_at_exit(reinterpret_cast<void (*)(void*)>(handler), nullptr, nullptr);
}
