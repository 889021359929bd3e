// Futexes with priority inheritance, by syscall(): what FUTEX_LOCK_PI and its like do.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/controlled/operations.h"

namespace heddle::controlled {

bool is_futex_lock(int command);
// Who has it is a thread of the engine's, or nobody.
bool knows_owner(const std::uint32_t* word);
// 0, or the error that the system call would give.
int futex_lock(std::uint32_t* word, int operation, const timespec* timeout, Caller caller);

}  // namespace heddle::controlled
