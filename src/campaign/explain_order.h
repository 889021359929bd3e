// Whether something else than locks orders two events of a trace: the lives of threads, semaphores, barriers, atomics.
#pragma once

#include <cstddef>
#include <span>

#include "contract/event.h"

namespace heddle::campaign {

// In this run `first` happens before `second`, which comes after it, even if no lock is looked at.
bool ordered_without_locks(std::span<const Event> events, std::size_t first, std::size_t second);

}  // namespace heddle::campaign
