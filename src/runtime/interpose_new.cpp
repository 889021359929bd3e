// operator new: forwarded to the program's own, so that handlers and exceptions are its; all that is added is who asked,
// because the malloc inside would name libstdc++ as the site. operator delete needs nothing: it calls free.
#include <stdlib.h>

#include <cstddef>

#include "runtime/identity.h"
#include "runtime/platform/export.h"
#include "runtime/platform/real.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

using Size = std::size_t;
// By their mangled names: we must not need a C++ runtime, nor <new>'s types.
HEDDLE_REAL Real<void*(Size)> real_new{"_Znwm"};
HEDDLE_REAL Real<void*(Size)> real_new_array{"_Znam"};
HEDDLE_REAL Real<void*(Size, const void*)> real_new_nothrow{"_ZnwmRKSt9nothrow_t"};
HEDDLE_REAL Real<void*(Size, const void*)> real_new_array_nothrow{"_ZnamRKSt9nothrow_t"};
HEDDLE_REAL Real<void*(Size, Size)> real_new_aligned{"_ZnwmSt11align_val_t"};
HEDDLE_REAL Real<void*(Size, Size)> real_new_array_aligned{"_ZnamSt11align_val_t"};
HEDDLE_REAL Real<void*(Size, Size, const void*)> real_new_aligned_nothrow{
    "_ZnwmSt11align_val_tRKSt9nothrow_t"};
HEDDLE_REAL Real<void*(Size, Size, const void*)> real_new_array_aligned_nothrow{
    "_ZnamSt11align_val_tRKSt9nothrow_t"};

// A C program that loads a C++ library privately (a plug-in) has no operator new behind us in the global scope.
void* without_runtime(Size size, Size alignment) {
  void* const block = alignment > alignof(std::max_align_t)
                          ? aligned_alloc(alignment, (size + alignment - 1) & ~(alignment - 1))
                          : malloc(size == 0 ? 1 : size);
  if (block == nullptr) abort();  // nobody here who could throw
  return block;
}

// The outermost counts: libstdc++'s new[] calls new. malloc takes the mark away (interpose_heap.cpp).
template <class Call>
void* on_behalf_of(void* caller, Call&& call) {
  if (g_note_heap && current_thread().allocation_caller == nullptr) {
    current_thread().allocation_caller = caller;
  }
  return call();
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT void* _Znwm(std::size_t size) {
  return on_behalf_of(
      HEDDLE_CALLER, [&] { return real_new.exists() ? real_new(size) : without_runtime(size, 1); });
}
HEDDLE_EXPORT void* _Znam(std::size_t size) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_new_array.exists() ? real_new_array(size) : without_runtime(size, 1);
  });
}
HEDDLE_EXPORT void* _ZnwmRKSt9nothrow_t(std::size_t size, const void* tag) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_new_nothrow.exists() ? real_new_nothrow(size, tag) : malloc(size == 0 ? 1 : size);
  });
}
HEDDLE_EXPORT void* _ZnamRKSt9nothrow_t(std::size_t size, const void* tag) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_new_array_nothrow.exists() ? real_new_array_nothrow(size, tag)
                                           : malloc(size == 0 ? 1 : size);
  });
}
HEDDLE_EXPORT void* _ZnwmSt11align_val_t(std::size_t size, std::size_t alignment) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_new_aligned.exists() ? real_new_aligned(size, alignment)
                                     : without_runtime(size, alignment);
  });
}
HEDDLE_EXPORT void* _ZnamSt11align_val_t(std::size_t size, std::size_t alignment) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_new_array_aligned.exists() ? real_new_array_aligned(size, alignment)
                                           : without_runtime(size, alignment);
  });
}
HEDDLE_EXPORT void* _ZnwmSt11align_val_tRKSt9nothrow_t(std::size_t size, std::size_t alignment,
                                                       const void* tag) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_new_aligned_nothrow.exists() ? real_new_aligned_nothrow(size, alignment, tag)
                                             : aligned_alloc(alignment, size);
  });
}
HEDDLE_EXPORT void* _ZnamSt11align_val_tRKSt9nothrow_t(std::size_t size, std::size_t alignment,
                                                       const void* tag) {
  return on_behalf_of(HEDDLE_CALLER, [&] {
    return real_new_array_aligned_nothrow.exists()
               ? real_new_array_aligned_nothrow(size, alignment, tag)
               : aligned_alloc(alignment, size);
  });
}
