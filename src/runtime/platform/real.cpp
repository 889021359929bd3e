#include "runtime/platform/real.h"

#include <cerrno>

#include "runtime/thread.h"

namespace heddle::runtime {

// dlsym may allocate and takes locks of its own: all of that is our doing, not the program's.
void* find_real(const char* name, const char* version) {
  const int saved = errno;
  InRuntime guard(current_thread());
  void* const found =
      version == nullptr ? dlsym(RTLD_NEXT, name) : dlvsym(RTLD_NEXT, name, version);
  errno = saved;
  return found;
}

}  // namespace heddle::runtime
