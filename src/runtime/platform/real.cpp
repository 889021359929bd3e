#include "runtime/platform/real.h"

#include <cerrno>

#include "runtime/thread.h"

// The linker's names for the two ends of the section that HEDDLE_REAL fills.
extern "C" {
__attribute__((visibility("hidden"))) extern heddle::runtime::RealName __start_heddle_real[];
__attribute__((visibility("hidden"))) extern heddle::runtime::RealName __stop_heddle_real[];
}

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

void find_all_real() {
  for (RealName* real = __start_heddle_real; real != __stop_heddle_real; ++real) real->find();
}

}  // namespace heddle::runtime
