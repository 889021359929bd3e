// What the engine remembers of an object by its address: its version (for the schedule hash), the clock it carries (for
// happens-before). Created on first use; bounded; past the bound objects share the
// last entry, which costs precision of the hash and of classification, never a wrong verdict.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/control_block.h"
#include "contract/ids.h"
#include "runtime/controlled/vector_clock.h"

namespace heddle::controlled {

struct Task;

struct SyncEntry {
  std::uint64_t address;  // 0: free
  std::uint64_t version;  // hash of the last event that changed it
  Clock released;         // what an acquirer learns
  // This thread knows all of that, if not null; and that is all it knows, but for its own ticks since, if it has learned so many
  // times (Task::learned).
  const Task* known_to;
  std::uint64_t told_after;
};

void begin_sync_table();

// Entries stay where they are: what was looked for last, by address.
constexpr std::size_t kRecentEntries = 64;
extern SyncEntry* g_recent_entries[kRecentEntries];
inline SyncEntry*& recent_entry(const void* object) {
  const auto address = reinterpret_cast<std::uint64_t>(object);
  return g_recent_entries[(address >> 3 ^ address >> 9) % kRecentEntries];
}
inline bool is_entry_of(const SyncEntry* entry, const void* object) {
  return entry != nullptr && entry->address == reinterpret_cast<std::uint64_t>(object);
}

SyncEntry& look_up_entry(const void* object);
SyncEntry* look_for_entry(const void* object);

inline SyncEntry& sync_entry(const void* object) {
  SyncEntry* const recent = recent_entry(object);
  return is_entry_of(recent, object) ? *recent : look_up_entry(object);
}
// Null if the object was never seen.
inline SyncEntry* find_sync(const void* object) {
  SyncEntry* const recent = recent_entry(object);
  return is_entry_of(recent, object) ? recent : look_for_entry(object);
}

}  // namespace heddle::controlled
