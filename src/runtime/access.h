// The slow path of memory accesses, and the countdown that keeps the program away from it (fast/fast_state.h).
#pragma once

#include <cstdint>

#include "runtime/fast/fast_state.h"
#include "runtime/thread.h"

namespace heddle::runtime {

// "Nobody wants your accesses."
inline constexpr std::int64_t kPassAll = std::int64_t{1} << 62;

// Some module reports its accesses: from now on they count.
void note_instrumented_module();
// The module with this address does.
bool is_instrumented(const void* address);

// Sets the calling thread's countdown to what the run and the thread are now: everything passes while there is no run,
// no second thread, no instrumented module, or nobody who looks at accesses.
void refresh_fast_state(ThreadState& thread);

}  // namespace heddle::runtime
