// What programs call when they find themselves built for TSan.
#include <sanitizer/tsan_interface.h>

#include "check.h"

extern "C" {
void AnnotateHappensBefore(const char* file, int line, const volatile void* address);
void AnnotateHappensAfter(const char* file, int line, const volatile void* address);
void AnnotateRWLockCreate(const char* file, int line, const volatile void* lock);
void AnnotateRWLockAcquired(const char* file, int line, const volatile void* lock, long writer);
void AnnotateRWLockReleased(const char* file, int line, const volatile void* lock, long writer);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateBenignRaceSized(const char* file, int line, const volatile void* address,
                             unsigned long size, const char* description);
int RunningOnValgrind();
int __sanitizer_get_ownership(const volatile void* block);  // gcc does not ship the header
}

int main() {
  int object = 0;
  AnnotateHappensBefore(__FILE__, __LINE__, &object);
  AnnotateHappensAfter(__FILE__, __LINE__, &object);
  AnnotateRWLockCreate(__FILE__, __LINE__, &object);
  AnnotateRWLockAcquired(__FILE__, __LINE__, &object, 1);
  AnnotateRWLockReleased(__FILE__, __LINE__, &object, 1);
  AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
  AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  AnnotateBenignRaceSized(__FILE__, __LINE__, &object, sizeof object, "on purpose");
  CHECK(RunningOnValgrind() == 0);
  __tsan_acquire(&object);
  __tsan_release(&object);
  __tsan_mutex_create(&object, 0);
  __tsan_mutex_pre_lock(&object, 0);
  __tsan_mutex_post_lock(&object, 0, 0);
  CHECK(__tsan_mutex_pre_unlock(&object, 0) == 1);
  __tsan_mutex_post_unlock(&object, 0);
  __tsan_mutex_destroy(&object, 0);
  void* const here = __tsan_get_current_fiber();
  void* const fiber = __tsan_create_fiber(0);
  CHECK(fiber != here);
  __tsan_switch_to_fiber(fiber, 0);
  CHECK(__tsan_get_current_fiber() == fiber);
  __tsan_switch_to_fiber(here, 0);
  __tsan_destroy_fiber(fiber);
  CHECK(__sanitizer_get_ownership(malloc(10)) == 1);
  puts("ok");
}
