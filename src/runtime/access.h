// The slow path of memory accesses, and the countdown that keeps the program away from it (fast/fast_state.h).
#pragma once

#include <cstdint>

#include "runtime/fast/fast_state.h"
#include "runtime/thread.h"

namespace heddle::runtime {

// "Nobody wants your accesses."
inline constexpr std::int64_t kPassAll = std::int64_t{1} << 62;

// The module that this address is in reports its accesses: from now on they count.
void note_instrumented_module(const void* address);
// Not known of a module that was loaded when there were too many.
bool is_instrumented(const void* address);

// Sets the calling thread's countdown to what the run and the thread are now: everything passes while there is no run,
// no second thread, no instrumented module, or nobody who looks at accesses.
void refresh_fast_state(ThreadState& thread);

}  // namespace heddle::runtime
