// Whether a thread that waits for ever only lacks a wake-up. It is tried: the run is made again, and once nothing can run
// everybody who waits for a condition or a futex is woken. Who looks again and goes back to wait does so rightly, and what
// it looks at is wrong; who goes on had its wake-up lost.
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "campaign/crew.h"

namespace heddle::campaign {

bool waits_for_wakeup(EventKind kind);
bool wakes(EventKind kind);

// `before`: the events up to where all wait; `after`: those that waking them brought.
LostWakeup what_was_lost(const BlockedThread& blocked, std::span<const Event> before,
                         std::span<const Event> after);

// Notes in `record`, of a replay that recorded its trace, whose wake-ups were lost if it ended in a deadlock.
void find_lost_wakeups(Crew& crew, RunRecord& record,
                       std::optional<std::chrono::steady_clock::time_point> until = {});

}  // namespace heddle::campaign
