// Memory of our own: straight from the kernel, zeroed, never given back, never the program's malloc.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::runtime {

// Pages that cost nothing until touched. Null if the kernel refuses (ulimit -v): the caller must do without.
void* map_memory(std::size_t size);
// The same for what is sure to be used as a whole: in huge pages, if it is a multiple of their size and there are any.
void* map_dense(std::size_t size);
// Maps once what runs will ask for first, so that a fork inherits it. Before there are threads.
void map_ahead();

// For small things that live as long as the process. Null when memory is refused. Any thread.
void* allocate_forever(std::size_t size);

// The same for what grows with what the program does: bounded, and null when the bound is reached (counted). The caller
// must do without. No bound until one is set; what was taken before does not count.
void limit_growth(std::uint64_t bytes);
void* allocate_growing(std::size_t size);
// For memory that was mapped as a whole: may that much more of it be used?
bool may_grow(std::size_t size);
std::uint64_t growth_refused();

}  // namespace heddle::runtime

// What the compiler calls for copies and comparisons in our own code: see redefine_builtins.h.
extern "C" {
__attribute__((visibility("hidden"))) void* heddle_raw_memcpy(void* to, const void* from,
                                                              std::size_t size);
__attribute__((visibility("hidden"))) void* heddle_raw_memmove(void* to, const void* from,
                                                               std::size_t size);
__attribute__((visibility("hidden"))) void* heddle_raw_memset(void* to, int byte, std::size_t size);
__attribute__((visibility("hidden"))) int heddle_raw_memcmp(const void* a, const void* b,
                                                            std::size_t size);
}
