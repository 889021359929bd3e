// What programs tell a race detector about themselves when they find __SANITIZE_THREAD__: dynamic annotations and the
// tsan_interface.h of custom synchronisation. A happens-before edge becomes an atomic without an operation; what only
// silences reports of the real TSan has no effect here.
#include <cstddef>

#include "runtime/atomic_operation.h"
#include "runtime/platform/export.h"

using namespace heddle::runtime;  // NOLINT: thin entry points

namespace {

using File = const char*;
using Address = const volatile void*;

}  // namespace

// --- sanitizer/tsan_interface.h ---
HEDDLE_EXPORT void __tsan_acquire(void* address) { annotate_acquire(address, HEDDLE_CALLER); }
HEDDLE_EXPORT void __tsan_release(void* address) { annotate_release(address, HEDDLE_CALLER); }

// A mutex of the program's own making. It is made of atomics or futexes, which are seen by themselves; what the
// annotation adds is the edge from unlock to lock.
HEDDLE_EXPORT void __tsan_mutex_create(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_destroy(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_lock(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_lock(void* mutex, unsigned flags, int) {
  constexpr unsigned kTryLockFailed = 1u << 5;
  if ((flags & kTryLockFailed) == 0) annotate_acquire(mutex, HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_mutex_pre_unlock(void* mutex, unsigned) {
  annotate_release(mutex, HEDDLE_CALLER);
  return 1;  // how many times it was locked: we do not count
}
HEDDLE_EXPORT void __tsan_mutex_post_unlock(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_signal(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_signal(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_pre_divert(void*, unsigned) {}
HEDDLE_EXPORT void __tsan_mutex_post_divert(void*, unsigned) {}

HEDDLE_EXPORT void __tsan_ignore_thread_begin() {}
HEDDLE_EXPORT void __tsan_ignore_thread_end() {}
HEDDLE_EXPORT void __tsan_flush_memory() {}

// --- dynamic annotations, as libtsan exports them ---
HEDDLE_EXPORT void AnnotateHappensBefore(File, int, Address address) {
  annotate_release(address, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateHappensAfter(File, int, Address address) {
  annotate_acquire(address, HEDDLE_CALLER);
}
HEDDLE_EXPORT void WTFAnnotateHappensBefore(File, int, Address address) {
  annotate_release(address, HEDDLE_CALLER);
}
HEDDLE_EXPORT void WTFAnnotateHappensAfter(File, int, Address address) {
  annotate_acquire(address, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateRWLockCreate(File, int, Address) {}
HEDDLE_EXPORT void AnnotateRWLockCreateStatic(File, int, Address) {}
HEDDLE_EXPORT void AnnotateRWLockDestroy(File, int, Address) {}
HEDDLE_EXPORT void AnnotateRWLockAcquired(File, int, Address lock, unsigned long) {
  annotate_acquire(lock, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateRWLockReleased(File, int, Address lock, unsigned long) {
  annotate_release(lock, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateCondVarSignal(File, int, Address cond) {
  annotate_release(cond, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateCondVarSignalAll(File, int, Address cond) {
  annotate_release(cond, HEDDLE_CALLER);
}
HEDDLE_EXPORT void AnnotateCondVarWait(File, int, Address cond, Address) {
  annotate_acquire(cond, HEDDLE_CALLER);
}

HEDDLE_EXPORT void AnnotateMutexIsNotPHB(File, int, Address) {}
HEDDLE_EXPORT void AnnotateMutexIsUsedAsCondVar(File, int, Address) {}
HEDDLE_EXPORT void AnnotatePublishMemoryRange(File, int, Address, std::size_t) {}
HEDDLE_EXPORT void AnnotateUnpublishMemoryRange(File, int, Address, std::size_t) {}
HEDDLE_EXPORT void AnnotatePCQCreate(File, int, Address) {}
HEDDLE_EXPORT void AnnotatePCQDestroy(File, int, Address) {}
HEDDLE_EXPORT void AnnotatePCQPut(File, int, Address) {}
HEDDLE_EXPORT void AnnotatePCQGet(File, int, Address) {}
HEDDLE_EXPORT void AnnotateNewMemory(File, int, Address, std::size_t) {}
HEDDLE_EXPORT void AnnotateMemoryIsInitialized(File, int, Address, std::size_t) {}
HEDDLE_EXPORT void AnnotateMemoryIsUninitialized(File, int, Address, std::size_t) {}
HEDDLE_EXPORT void AnnotateTraceMemory(File, int, Address) {}
HEDDLE_EXPORT void AnnotateThreadName(File, int, const char*) {}
HEDDLE_EXPORT void AnnotateNoOp(File, int, Address) {}
HEDDLE_EXPORT void AnnotateExpectRace(File, int, Address, const char*) {}
HEDDLE_EXPORT void AnnotateFlushExpectedRaces(File, int) {}
HEDDLE_EXPORT void AnnotateFlushState(File, int) {}
HEDDLE_EXPORT void AnnotateBenignRace(File, int, Address, const char*) {}
HEDDLE_EXPORT void AnnotateBenignRaceSized(File, int, Address, std::size_t, const char*) {}
HEDDLE_EXPORT void WTFAnnotateBenignRaceSized(File, int, Address, std::size_t, const char*) {}
HEDDLE_EXPORT void AnnotateEnableRaceDetection(File, int, int) {}
HEDDLE_EXPORT void AnnotateIgnoreReadsBegin(File, int) {}
HEDDLE_EXPORT void AnnotateIgnoreReadsEnd(File, int) {}
HEDDLE_EXPORT void AnnotateIgnoreWritesBegin(File, int) {}
HEDDLE_EXPORT void AnnotateIgnoreWritesEnd(File, int) {}
HEDDLE_EXPORT void AnnotateIgnoreSyncBegin(File, int) {}
HEDDLE_EXPORT void AnnotateIgnoreSyncEnd(File, int) {}

HEDDLE_EXPORT int RunningOnValgrind() { return 0; }
HEDDLE_EXPORT __attribute__((weak)) double ValgrindSlowdown() { return 10.0; }  // libtsan's answer
HEDDLE_EXPORT const char* ThreadSanitizerQuery(const char* query) {
  // The one question ever asked: are the annotations needed in full ("sync")?
  const bool sync = query != nullptr && query[0] == 's' && query[1] == 'y' && query[2] == 'n' &&
                    query[3] == 'c' && query[4] == '\0';
  return sync ? "1" : "0";
}
