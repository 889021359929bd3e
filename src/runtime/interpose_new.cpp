// operator new and delete: forwarded to the program's own, so that handlers and exceptions are its; all that is added is who
// asked, because the malloc or free inside would name libstdc++ as the site.
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

// free takes the mark away; if there was nothing to free, we do.
template <class Call>
void release_for(void* block, void* caller, Call&& call) {
  if (block == nullptr) return call();
  void*& announced = current_thread().allocation_caller;
  if (g_note_heap && announced == nullptr) announced = caller;
  call();
  announced = nullptr;
}

HEDDLE_REAL Real<void(void*)> real_delete{"_ZdlPv"};
HEDDLE_REAL Real<void(void*)> real_delete_array{"_ZdaPv"};
HEDDLE_REAL Real<void(void*, Size)> real_delete_sized{"_ZdlPvm"};
HEDDLE_REAL Real<void(void*, Size)> real_delete_array_sized{"_ZdaPvm"};
HEDDLE_REAL Real<void(void*, Size)> real_delete_aligned{"_ZdlPvSt11align_val_t"};
HEDDLE_REAL Real<void(void*, Size)> real_delete_array_aligned{"_ZdaPvSt11align_val_t"};
HEDDLE_REAL Real<void(void*, Size, Size)> real_delete_sized_aligned{"_ZdlPvmSt11align_val_t"};
HEDDLE_REAL Real<void(void*, Size, Size)> real_delete_array_sized_aligned{"_ZdaPvmSt11align_val_t"};

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

HEDDLE_EXPORT void _ZdlPv(void* block) {
  release_for(block, HEDDLE_CALLER,
              [&] { real_delete.exists() ? real_delete(block) : free(block); });
}
HEDDLE_EXPORT void _ZdaPv(void* block) {
  release_for(block, HEDDLE_CALLER,
              [&] { real_delete_array.exists() ? real_delete_array(block) : free(block); });
}
HEDDLE_EXPORT void _ZdlPvm(void* block, std::size_t size) {
  release_for(block, HEDDLE_CALLER,
              [&] { real_delete_sized.exists() ? real_delete_sized(block, size) : free(block); });
}
HEDDLE_EXPORT void _ZdaPvm(void* block, std::size_t size) {
  release_for(block, HEDDLE_CALLER, [&] {
    real_delete_array_sized.exists() ? real_delete_array_sized(block, size) : free(block);
  });
}
HEDDLE_EXPORT void _ZdlPvSt11align_val_t(void* block, std::size_t alignment) {
  release_for(block, HEDDLE_CALLER, [&] {
    real_delete_aligned.exists() ? real_delete_aligned(block, alignment) : free(block);
  });
}
HEDDLE_EXPORT void _ZdaPvSt11align_val_t(void* block, std::size_t alignment) {
  release_for(block, HEDDLE_CALLER, [&] {
    real_delete_array_aligned.exists() ? real_delete_array_aligned(block, alignment) : free(block);
  });
}
HEDDLE_EXPORT void _ZdlPvmSt11align_val_t(void* block, std::size_t size, std::size_t alignment) {
  release_for(block, HEDDLE_CALLER, [&] {
    real_delete_sized_aligned.exists() ? real_delete_sized_aligned(block, size, alignment)
                                       : free(block);
  });
}
HEDDLE_EXPORT void _ZdaPvmSt11align_val_t(void* block, std::size_t size, std::size_t alignment) {
  release_for(block, HEDDLE_CALLER, [&] {
    real_delete_array_sized_aligned.exists()
        ? real_delete_array_sized_aligned(block, size, alignment)
        : free(block);
  });
}
