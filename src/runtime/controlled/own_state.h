// A thread's own state at a look at memory, as far as a loop would change it that gets on: the registers that outlast calls, and the
// frames from the program's innermost on. Only ever compared with others of the same place.
//
// The registers are the program's as long as nothing of ours on the way here has used them: entry points of accesses and atomics, and
// memory.cpp, are compiled to leave them alone (outlasting_registers in src/CMakeLists.txt).
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/thread.h"

namespace heddle::controlled {

constexpr std::uint64_t mixed(std::uint64_t sum, std::uint64_t word) {
  return (sum ^ word) * 0x9e3779b97f4a7c15ULL;
}

[[gnu::always_inline]] inline std::uint64_t registers_state() {
  std::uint64_t rbx = 0, rbp = 0, r12 = 0, r13 = 0, r14 = 0, r15 = 0;
  asm volatile("movq %%rbx, %0\n\tmovq %%rbp, %1\n\tmovq %%r12, %2"
               : "=r"(rbx), "=r"(rbp), "=r"(r12));
  asm volatile("movq %%r13, %0\n\tmovq %%r14, %1\n\tmovq %%r15, %2"
               : "=r"(r13), "=r"(r14), "=r"(r15));
  return mixed(mixed(mixed(mixed(mixed(rbx, rbp), r12), r13), r14), r15);
}

// Where the program goes on from `caller` the stack says so: above our own frames, which may hold the same address, too.
inline const std::uint64_t* find_return(const void* caller, const std::uint64_t* from,
                                        const std::uint64_t* end) {
  constexpr std::ptrdiff_t kOurFrames = 160;  // words
  const std::uint64_t* const last = end - from > kOurFrames ? from + kOurFrames : end;
  const auto wanted = reinterpret_cast<std::uint64_t>(caller);
  for (const std::uint64_t* at = last; at-- != from;) {
    if (*at == wanted) return at;
  }
  return nullptr;
}

[[gnu::always_inline]] inline std::uint64_t own_state(const runtime::ThreadState& thread,
                                                      const void* caller) {
  constexpr std::ptrdiff_t kFrames = 48;  // words: a frame or two of the program's
  std::uint64_t sum = registers_state();
  std::uint64_t here = 0;
  asm volatile("movq %%rsp, %0" : "=r"(here));  // asking the compiler would take a register away
  if (here >= thread.stack_top || here < thread.stack_top - thread.stack_size) return sum;
  const auto* const end = reinterpret_cast<const std::uint64_t*>(thread.stack_top);
  const std::uint64_t* at = find_return(caller, reinterpret_cast<const std::uint64_t*>(here), end);
  if (at == nullptr) return sum;
  const std::uint64_t* const last = end - at > kFrames ? at + kFrames : end;
  for (; at != last; ++at) sum = mixed(sum, *at);
  return sum;
}

}  // namespace heddle::controlled
