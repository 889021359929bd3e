// Explicit locks on stdio streams. The lock inside printf and friends is libc's own and cannot be seen; nobody is parked
// while holding it, because nothing in there is a scheduling point (interpose_stdio.cpp has one before). To detectors they are spin locks: of mutexes, more would
// be asked than there is in a stream.
#include <stdio.h>

#include "runtime/controlled/operations.h"
#include "runtime/free_engine.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"

using heddle::EventKind;
using namespace heddle::runtime;  // NOLINT: thin entry points
namespace controlled = heddle::controlled;

namespace {

HEDDLE_REAL Real<void(FILE*)> real_lock{"flockfile"};
HEDDLE_REAL Real<int(FILE*)> real_trylock{"ftrylockfile"};
HEDDLE_REAL Real<void(FILE*)> real_unlock{"funlockfile"};

}  // namespace

HEDDLE_EXPORT void flockfile(FILE* stream) {
  if (under_control()) {
    controlled::stream_lock(stream, HEDDLE_CALLER);
    return;
  }
  around({EventKind::spin_lock, stream, HEDDLE_CALLER}, [&] {
    real_lock(stream);
    return 0;
  });
}
HEDDLE_EXPORT int ftrylockfile(FILE* stream) {
  if (under_control()) return controlled::stream_trylock(stream, HEDDLE_CALLER);
  return around({EventKind::spin_trylock, stream, HEDDLE_CALLER},
                [&] { return real_trylock(stream); });
}
HEDDLE_EXPORT void funlockfile(FILE* stream) {
  if (under_control()) {
    controlled::stream_unlock(stream, HEDDLE_CALLER);
    return;
  }
  around({EventKind::spin_unlock, stream, HEDDLE_CALLER}, [&] {
    real_unlock(stream);
    return 0;
  });
}
