#include "campaign/wait_circle.h"

#include <algorithm>
#include <map>
#include <set>

#include "campaign/explain_align.h"
#include "campaign/lost_wakeup.h"
#include "campaign/trace_locks.h"

namespace heddle::campaign {

namespace {

using Waits = std::map<ThreadId, std::set<ThreadId>>;  // who waits for whom

bool takes_token(const Event& event) {
  const bool asks = event.kind == EventKind::sem_wait || event.kind == EventKind::sem_trywait ||
                    event.kind == EventKind::sem_timedwait;
  return asks && event.result == 0;
}

bool gives_token(const Event& event) { return event.kind == EventKind::sem_post; }

std::set<ThreadId> holders_of_semaphore(ObjectId semaphore, std::span<const Event> failing,
                                        std::span<const Event> passing) {
  std::map<ThreadId, int> tokens;
  std::set<ThreadId> givers;
  for (const Event& event : failing) {
    if (event.object != semaphore) continue;
    if (takes_token(event)) ++tokens[event.thread];
    if (gives_token(event)) --tokens[event.thread];
  }
  for (const std::span<const Event> events : {failing, passing}) {
    for (const Event& event : events) {
      if (event.object == semaphore && gives_token(event)) givers.insert(event.thread);
    }
  }
  std::set<ThreadId> holders;
  for (const auto& [thread, count] : tokens) {
    if (count > 0 && givers.contains(thread)) holders.insert(thread);
  }
  return holders;
}

// Who has made what the waiter looked at, since it took the lock that it then gave up, another than it was: one that changed
// it and changed it back has not.
std::set<ThreadId> makers_of_condition(const BlockedThread& blocked,
                                       std::span<const Event> events) {
  std::map<ObjectId, std::uint64_t> values;                       // as far as they were seen
  std::map<ObjectId, std::map<ThreadId, std::uint64_t>> changes;  // the sum of each thread's
  std::set<ObjectId> looked_at;
  for (const Event& event : events) {
    const bool born = event.kind == EventKind::thread_create && event.value == blocked.thread.value;
    if (born) {  // what its maker has made ready for it is not to be changed back
      for (auto& [object, sums] : changes) sums.erase(event.thread);
    }
    if (event.thread == blocked.thread) {
      if (takes_lock(event)) looked_at.clear();
      if (is_memory_read(event.kind)) looked_at.insert(event.object);
    }
    if (!is_memory_access(event.kind)) continue;
    const auto before = values.find(event.object);
    if (is_memory_write(event.kind)) {
      const std::uint64_t old = before == values.end() ? ~event.value : before->second;
      changes[event.object][event.thread] += event.value - old;
    }
    values[event.object] = event.value;
  }
  std::set<ThreadId> makers;
  if (blocked.waiting_in == EventKind::futex_wait) looked_at = {blocked.object};
  for (const ObjectId object : looked_at) {
    for (const auto& [thread, change] : changes[object]) {
      if (change != 0 && thread != blocked.thread) makers.insert(thread);
    }
  }
  return makers;
}

bool makes(const Event& event) { return is_memory_write(event.kind) || wakes(event.kind); }

// Of what nobody but the waiter has touched since it was made (a future's state): who fills it where all goes well.
std::set<ThreadId> givers_of_result(const BlockedThread& blocked, std::span<const Event> failing,
                                    std::span<const Event> passing) {
  std::set<ThreadId> givers;
  if (blocked.waiting_in != EventKind::futex_wait) return givers;
  const auto is_others = [&](const Event& event) {
    return event.object == blocked.object && event.thread != blocked.thread && makes(event);
  };
  if (std::ranges::any_of(failing, is_others)) return givers;
  for (const Event& event : passing) {
    if (is_others(event)) givers.insert(event.thread);
  }
  return givers;
}

// Two that wait in the same place for a result, and one of them would give the other its own: workers of a pool that wait for tasks
// of the same pool. Which of them would have which task is chance, so the way back need not have been seen.
bool wait_for_their_like(std::span<const BlockedThread> blocked, std::span<const Event> failing,
                         std::span<const Event> passing) {
  for (const BlockedThread& one : blocked) {
    const std::set<ThreadId> givers = givers_of_result(one, failing, passing);
    for (const BlockedThread& other : blocked) {
      if (givers.contains(other.thread) && other.waiting_in == one.waiting_in &&
          other.site == one.site) {
        return true;
      }
    }
  }
  return false;
}

bool leads_to(const Waits& waits, ThreadId from, ThreadId to, std::set<ThreadId>& seen) {
  const auto at = waits.find(from);
  if (at == waits.end() || !seen.insert(from).second) return false;
  for (const ThreadId next : at->second) {
    if (next == to || leads_to(waits, next, to, seen)) return true;
  }
  return false;
}

}  // namespace

bool wait_in_circle(std::span<const BlockedThread> blocked, std::span<const Event> failing,
                    std::span<const Event> passing) {
  Waits waits;
  for (const BlockedThread& thread : blocked) {
    if (thread.waiting_in == EventKind::thread_join) continue;
    if (thread.waiting_in == EventKind::sem_wait) {
      waits[thread.thread] = holders_of_semaphore(thread.object, failing, passing);
    } else if (waits_for_wakeup(thread.waiting_in)) {
      waits[thread.thread] = makers_of_condition(thread, failing);
      waits[thread.thread].merge(givers_of_result(thread, failing, passing));
    } else if (thread.holder != kNoThread) {
      waits[thread.thread] = {thread.holder};
    }
  }
  for (const auto& [thread, others] : waits) {
    std::set<ThreadId> seen;
    if (leads_to(waits, thread, thread, seen)) return true;
  }
  return wait_for_their_like(blocked, failing, passing);
}

}  // namespace heddle::campaign
