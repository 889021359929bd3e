// Does for real what noise asked for (free engine).
#pragma once

#include <cstdint>

#include "contract/disturbance.h"
#include "contract/ids.h"
#include "runtime/thread.h"

namespace heddle::runtime {

// Returns when the thread may go on. `object` is the address at hand, for barriers.
void carry_out(Disturbance disturbance, const ThreadState& thread, const void* object);

// True while some thread has asked all others to stop: then every event calls give_way first.
extern std::uint32_t g_inverse_owner;  // 0: nobody, else a kernel thread id
void give_way(const ThreadState& thread);

// A thread is gone: who waited for "nobody else can move" may be free now.
void note_thread_gone();

std::uint64_t monotonic_ns();

}  // namespace heddle::runtime
