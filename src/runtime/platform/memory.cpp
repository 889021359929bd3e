#include "runtime/platform/memory.h"

#include <sys/mman.h>

#include <cstdint>

#include "runtime/platform/syscall.h"

namespace heddle::runtime {

namespace {
constexpr std::size_t kPage = 4096;
// Mapped ahead: call stacks of the first threads and the first pieces of the arenas.
constexpr std::size_t kAhead = std::size_t{1} << 20;
std::uint64_t g_ahead;  // address of the next free page in it
std::uint64_t g_ahead_end;

void* take_ahead(std::size_t size) {
  size = (size + kPage - 1) & ~(kPage - 1);
  std::uint64_t next = __atomic_load_n(&g_ahead, __ATOMIC_RELAXED);
  while (size <= g_ahead_end - next) {
    if (__atomic_compare_exchange_n(&g_ahead, &next, next + size, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return reinterpret_cast<void*>(next);
    }
  }
  return nullptr;
}
}  // namespace

void* map_memory(std::size_t size) {
  if (void* const ahead = take_ahead(size)) return ahead;
  const long address = raw_syscall(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address < 0 && address > -4096 ? nullptr : reinterpret_cast<void*>(address);
}

void* map_dense(std::size_t size) {
  constexpr std::uint64_t kHuge = std::uint64_t{2} << 20;
  if (size == 0 || size % kHuge != 0) return map_memory(size);
  void* const mapped = map_memory(size + kHuge - kPage);
  if (mapped == nullptr) return map_memory(size);
  const auto begin = reinterpret_cast<std::uint64_t>(mapped);
  const std::uint64_t end = begin + size + kHuge - kPage;
  const std::uint64_t first = (begin + kHuge - 1) & ~(kHuge - 1);
  const auto give_back = [](std::uint64_t from, std::uint64_t to) {
    if (from == to) return;
    raw_syscall(SYS_munmap, static_cast<long>(from), static_cast<long>(to - from));
  };
  give_back(begin, first);
  give_back(first + size, end);
  raw_syscall(SYS_madvise, static_cast<long>(first), static_cast<long>(size), MADV_HUGEPAGE);
  // Written before it is read: what is read first is the kernel's page of zeroes, which a write would break into small ones.
  for (std::uint64_t at = first; at != first + size; at += kHuge) {
    *reinterpret_cast<volatile char*>(at) = 0;
  }
  return reinterpret_cast<void*>(first);
}

void map_ahead() {
  if (g_ahead != 0) return;
  const auto begin = reinterpret_cast<std::uint64_t>(map_memory(kAhead));
  if (begin == 0) return;
  g_ahead = begin;
  g_ahead_end = begin + kAhead;
}

namespace {
constexpr std::size_t kChunk = std::size_t{1} << 20;

// One word holds the whole state, so that a thread interrupted in between leaves nothing half done.
std::uint64_t g_next;  // address of the next free byte; chunks are aligned so that the end is known
}  // namespace

void* allocate_forever(std::size_t size) {
  size = (size + 15) & ~std::size_t{15};
  if (size > kChunk / 4) return map_memory(size);
  for (;;) {
    std::uint64_t next = __atomic_load_n(&g_next, __ATOMIC_ACQUIRE);
    if (next != 0 && (next & (kChunk - 1)) != 0 && (next & (kChunk - 1)) + size <= kChunk) {
      if (__atomic_compare_exchange_n(&g_next, &next, next + size, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED)) {
        return reinterpret_cast<void*>(next);
      }
      continue;
    }
    // Twice the size, so that an aligned chunk fits; untouched pages cost nothing. The first 16 bytes stay unused: an
    // aligned g_next would look like the end of the chunk before.
    void* const fresh = map_memory(2 * kChunk);
    if (fresh == nullptr) return nullptr;
    const std::uint64_t aligned =
        (reinterpret_cast<std::uint64_t>(fresh) + kChunk - 1) & ~std::uint64_t{kChunk - 1};
    __atomic_compare_exchange_n(&g_next, &next, aligned + 16, false, __ATOMIC_ACQ_REL,
                                __ATOMIC_RELAXED);
  }
}

namespace {
std::uint64_t g_growth_left = ~std::uint64_t{0};
std::uint64_t g_growth_refused = 0;
}  // namespace

void limit_growth(std::uint64_t bytes) {
  g_growth_left = bytes;
  g_growth_refused = 0;
}

bool may_grow(std::size_t size) {
  std::uint64_t left = __atomic_load_n(&g_growth_left, __ATOMIC_RELAXED);
  while (left >= size) {
    if (__atomic_compare_exchange_n(&g_growth_left, &left, left - size, true, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      return true;
    }
  }
  __atomic_fetch_add(&g_growth_refused, 1, __ATOMIC_RELAXED);
  return false;
}

void* allocate_growing(std::size_t size) {
  return may_grow(size) ? allocate_forever(size) : nullptr;
}

std::uint64_t growth_refused() { return __atomic_load_n(&g_growth_refused, __ATOMIC_RELAXED); }

}  // namespace heddle::runtime

extern "C" {

void* heddle_raw_memcpy(void* to, const void* from, std::size_t size) {
  void* destination = to;
  asm volatile("rep movsb" : "+D"(destination), "+S"(from), "+c"(size) : : "memory");
  return to;
}

void* heddle_raw_memmove(void* to, const void* from, std::size_t size) {
  if (reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from) >= size) {
    return heddle_raw_memcpy(to, from, size);
  }
  auto* destination = static_cast<unsigned char*>(to);
  auto* source = static_cast<const unsigned char*>(from);
  while (size > 0) {
    --size;
    destination[size] = source[size];
    asm volatile("" ::: "memory");  // or the compiler finds a memmove here
  }
  return to;
}

void* heddle_raw_memset(void* to, int byte, std::size_t size) {
  void* destination = to;
  asm volatile("rep stosb" : "+D"(destination), "+c"(size) : "a"(byte) : "memory");
  return to;
}

int heddle_raw_memcmp(const void* a, const void* b, std::size_t size) {
  auto* left = static_cast<const unsigned char*>(a);
  auto* right = static_cast<const unsigned char*>(b);
  for (std::size_t i = 0; i < size; ++i) {
    if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
  }
  return 0;
}

}  // extern "C"
