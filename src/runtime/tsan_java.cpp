// The part of TSan's interface that a Java virtual machine calls. Its heap is not ours to model; its locks and
// volatile accesses give the happens-before edges.
#include "runtime/atomic_operation.h"
#include "runtime/platform/export.h"

using namespace heddle::runtime;  // NOLINT: thin entry points

namespace {

using JavaPointer = unsigned long;  // NOLINT: the interface's own type (jptr)

const volatile void* object(JavaPointer address) {
  return reinterpret_cast<const volatile void*>(address);
}

}  // namespace

HEDDLE_EXPORT void __tsan_java_init(JavaPointer, JavaPointer) {}
HEDDLE_EXPORT int __tsan_java_fini() { return 0; }
HEDDLE_EXPORT void __tsan_java_alloc(JavaPointer, JavaPointer) {}
HEDDLE_EXPORT void __tsan_java_free(JavaPointer, JavaPointer) {}
HEDDLE_EXPORT void __tsan_java_move(JavaPointer, JavaPointer, JavaPointer) {}
HEDDLE_EXPORT JavaPointer __tsan_java_find(JavaPointer*, JavaPointer) { return 0; }
HEDDLE_EXPORT void __tsan_java_finalize() {}
HEDDLE_EXPORT void __tsan_java_mutex_lock(JavaPointer mutex) {
  annotate_acquire(object(mutex), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_java_mutex_unlock(JavaPointer mutex) {
  annotate_release(object(mutex), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_java_mutex_read_lock(JavaPointer mutex) {
  annotate_acquire(object(mutex), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_java_mutex_read_unlock(JavaPointer mutex) {
  annotate_release(object(mutex), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_java_mutex_lock_rec(JavaPointer mutex, int) {
  annotate_acquire(object(mutex), HEDDLE_CALLER);
}
HEDDLE_EXPORT int __tsan_java_mutex_unlock_rec(JavaPointer mutex) {
  annotate_release(object(mutex), HEDDLE_CALLER);
  return 1;
}
HEDDLE_EXPORT void __tsan_java_acquire(JavaPointer address) {
  annotate_acquire(object(address), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_java_release(JavaPointer address) {
  annotate_release(object(address), HEDDLE_CALLER);
}
HEDDLE_EXPORT void __tsan_java_release_store(JavaPointer address) {
  annotate_release(object(address), HEDDLE_CALLER);
}
