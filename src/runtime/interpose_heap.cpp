// malloc and its kin: forward; note the block when the run has a use for it.
//
// While dlsym looks for the next allocator it may itself allocate: that is served from a small buffer of ours, whose
// blocks are never freed and can be reallocated.
#include <malloc.h>
#include <stdlib.h>

#include <cerrno>

#include "runtime/access.h"
#include "runtime/controlled/operations.h"
#include "runtime/fast/access.h"
#include "runtime/free_detect.h"
#include "runtime/identity.h"
#include "runtime/mode.h"
#include "runtime/platform/export.h"
#include "runtime/platform/memory.h"
#include "runtime/platform/real.h"
#include "runtime/thread.h"

namespace heddle::runtime {
namespace {

HEDDLE_REAL Real<void*(std::size_t)> real_malloc{"malloc"};
HEDDLE_REAL Real<void(void*)> real_free{"free"};
HEDDLE_REAL Real<void*(std::size_t, std::size_t)> real_calloc{"calloc"};
HEDDLE_REAL Real<void*(void*, std::size_t)> real_realloc{"realloc"};
HEDDLE_REAL Real<void*(void*, std::size_t, std::size_t)> real_reallocarray{"reallocarray"};
HEDDLE_REAL Real<void*(std::size_t, std::size_t)> real_memalign{"memalign"};
HEDDLE_REAL Real<void*(std::size_t, std::size_t)> real_aligned_alloc{"aligned_alloc"};
HEDDLE_REAL Real<int(void**, std::size_t, std::size_t)> real_posix_memalign{"posix_memalign"};
HEDDLE_REAL Real<void*(std::size_t)> real_valloc{"valloc"};
HEDDLE_REAL Real<void*(std::size_t)> real_pvalloc{"pvalloc"};

bool g_resolving = false;

constexpr std::size_t kEarlySize = 64 * 1024;
alignas(16) char g_early[kEarlySize];
std::size_t g_early_used = 0;

bool is_early(const void* block) { return block >= g_early && block < g_early + kEarlySize; }

// The size stands in front of the block, for realloc.
void* early_allocate(std::size_t size) {
  const std::size_t need = ((size + 15) & ~std::size_t{15}) + 16;
  const std::size_t at = __atomic_fetch_add(&g_early_used, need, __ATOMIC_RELAXED);
  if (need < size || at + need > kEarlySize) return nullptr;
  *reinterpret_cast<std::size_t*>(g_early + at) = size;
  return g_early + at + 16;
}
std::size_t early_size(const void* block) {
  return *reinterpret_cast<const std::size_t*>(static_cast<const char*>(block) - 16);
}

// All at once, by whoever comes first; false for whoever comes while that is going on.
bool ready() {
  static bool done = false;
  if (__atomic_load_n(&done, __ATOMIC_ACQUIRE)) [[likely]]
    return true;
  if (g_resolving) return false;
  g_resolving = true;
  real_malloc.function();
  real_free.function();
  real_calloc.function();
  real_realloc.function();
  __atomic_store_n(&done, true, __ATOMIC_RELEASE);
  return true;
}

bool noting() { return __builtin_expect(g_note_heap, 0) && !current_thread().in_runtime; }

// The calling thread's site for this allocation: operator new's caller, if that is where we come from. Good for one
// allocation, so that an exception on the way leaves nothing behind.
void* site_for(void* caller) {
  void*& announced = current_thread().allocation_caller;
  void* const site = announced != nullptr ? announced : caller;
  announced = nullptr;
  return site;
}

// Not under_control(): libc allocates inside calls that left control, and must not come back in the middle of them.
bool has_control() { return controlled() && current_thread().has_control; }

void noted(void* block, std::size_t size, void* caller) {
  const int saved = errno;
  void* const site = site_for(caller);
  if (block == nullptr) return;
  note_allocation(block, size, site);
  if (controlled()) {
    controlled::allocated(block, size);
  } else if (g_detecting_memory) {
    free_detect_fresh(self(), block, size);
  }
  errno = saved;
}

// Giving a block back is an access to all of it, when the program does so: what a library does with memory of its own is ordered
// in ways that it alone may know. Detectors look at the beginning of large ones.
constexpr std::size_t kMostAccessed = 1024;

void access_all(void* block, void* caller) {
  if (heddle_fast_state_v6.skip > 0 || (controlled() && !has_control())) return;
  const HeapBlock* const known = find_block(block);
  if (known == nullptr || known->start != reinterpret_cast<std::uint64_t>(block)) return;
  if (!is_instrumented(caller)) return;
  const std::size_t size = known->size < kMostAccessed ? known->size : kMostAccessed;
  access_range(block, size, EventKind::freed, caller);
}

void forgotten(void* block, void* caller) {
  const int saved = errno;
  access_all(block, caller);
  if (controlled()) controlled::given_back(block);
  note_release(block);
  errno = saved;
}

}  // namespace
}  // namespace heddle::runtime

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_EXPORT void* malloc(std::size_t size) {
  if (!ready()) return early_allocate(size);
  void* const block = real_malloc(size);
  if (noting()) noted(block, size, HEDDLE_CALLER);
  return block;
}

HEDDLE_EXPORT void free(void* block) {
  if (block == nullptr || is_early(block) || !ready()) return;
  if (noting()) forgotten(block, site_for(HEDDLE_CALLER));
  real_free(block);
}

HEDDLE_EXPORT void* calloc(std::size_t count, std::size_t size) {
  std::size_t total = 0;
  if (!ready()) {
    return __builtin_mul_overflow(count, size, &total) ? nullptr : early_allocate(total);
  }
  void* const block = real_calloc(count, size);
  if (noting()) noted(block, count * size, HEDDLE_CALLER);
  return block;
}

HEDDLE_EXPORT void* realloc(void* block, std::size_t size) {
  if (!ready() || is_early(block)) {
    void* const fresh = ready() ? real_malloc(size) : early_allocate(size);
    if (fresh == nullptr || block == nullptr) return fresh;
    const std::size_t old = early_size(block);
    heddle_raw_memcpy(fresh, block, old < size ? old : size);
    return fresh;
  }
  if (!noting()) return real_realloc(block, size);
  // Released first: once realloc has moved it another thread may be given the same place.
  const HeapBlock* const before = block == nullptr ? nullptr : find_block(block);
  const std::size_t old_size = before == nullptr ? 0 : before->size;
  if (block != nullptr) forgotten(block, HEDDLE_CALLER);
  void* const fresh = real_realloc(block, size);
  if (fresh != nullptr) {
    noted(fresh, size, HEDDLE_CALLER);
  } else if (block != nullptr && size != 0) {
    noted(block, old_size, HEDDLE_CALLER);
  }
  return fresh;
}

HEDDLE_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) {
  std::size_t total = 0;
  if (!is_early(block) && !noting() && real_reallocarray.exists()) {
    return real_reallocarray(block, count, size);
  }
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return nullptr;
  }
  return realloc(block, total);
}

HEDDLE_EXPORT void* memalign(std::size_t alignment, std::size_t size) {
  void* const block = real_memalign(alignment, size);
  if (noting()) noted(block, size, HEDDLE_CALLER);
  return block;
}

HEDDLE_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) {
  void* const block = real_aligned_alloc(alignment, size);
  if (noting()) noted(block, size, HEDDLE_CALLER);
  return block;
}

HEDDLE_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  const int result = real_posix_memalign(block, alignment, size);
  if (result == 0 && noting()) noted(*block, size, HEDDLE_CALLER);
  return result;
}

HEDDLE_EXPORT void* valloc(std::size_t size) {
  void* const block = real_valloc(size);
  if (noting()) noted(block, size, HEDDLE_CALLER);
  return block;
}

HEDDLE_EXPORT void* pvalloc(std::size_t size) {
  void* const block = real_pvalloc(size);
  if (noting()) noted(block, size, HEDDLE_CALLER);
  return block;
}
