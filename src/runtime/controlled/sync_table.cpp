#include "runtime/controlled/sync_table.h"

#include "base/hash.h"
#include "runtime/platform/memory.h"

namespace heddle::controlled {

namespace {

// Entries lie in the order of first use, so that a small program touches few pages; a hash index over them grows as
// needed. Neither order nor index decides anything.
constexpr std::size_t kMostEntries = std::size_t{1} << 18;
constexpr std::size_t kFirstIndex = std::size_t{1} << 10;

SyncEntry* g_entries;
std::uint32_t* g_index;  // number of the entry plus one; 0: free
std::size_t g_index_size;
std::uint32_t g_used;
SyncEntry g_overflow;

std::uint32_t* slot_for(std::uint64_t address) {
  std::size_t at = mix64(address) & (g_index_size - 1);
  while (g_index[at] != 0 && g_entries[g_index[at] - 1].address != address) {
    at = (at + 1) & (g_index_size - 1);
  }
  return &g_index[at];
}

bool grow_index() {
  const std::size_t size = g_index_size == 0 ? kFirstIndex : g_index_size * 4;
  auto* const index =
      static_cast<std::uint32_t*>(runtime::map_memory(size * sizeof(std::uint32_t)));
  if (index == nullptr) return false;
  g_index = index;
  g_index_size = size;
  for (std::uint32_t i = 0; i < g_used; ++i) *slot_for(g_entries[i].address) = i + 1;
  return true;
}

}  // namespace

void begin_sync_table() {
  // Once per process: a run is a fresh fork of the server, which never touched the table.
  if (g_entries != nullptr) return;
  // A little more: it begins below a multiple of 2 MB then, where the page table of what is mapped next serves it too.
  constexpr std::size_t kMore = std::size_t{64} << 10;
  g_entries =
      static_cast<SyncEntry*>(runtime::map_memory(kMostEntries * sizeof(SyncEntry) + kMore));
  if (g_entries != nullptr && !grow_index()) g_entries = nullptr;
  if (g_entries != nullptr)
    g_index[0] =
        0;  // the page exists from now on: a run that reads it first faults once, not twice
}

SyncEntry* g_recent_entries[kRecentEntries];

SyncEntry& look_up_entry(const void* object) {
  if (SyncEntry* const known = look_for_entry(object)) return *known;
  const auto address = reinterpret_cast<std::uint64_t>(object);
  if (g_entries == nullptr || address == 0) return g_overflow;
  std::uint32_t* slot = slot_for(address);
  // With its part of the index, which may be twice as large as it need be, beside the smaller one before it.
  constexpr std::size_t kPerEntry = sizeof(SyncEntry) + 10 * sizeof(std::uint32_t);
  if (g_used == kMostEntries || !runtime::may_grow(kPerEntry)) return g_overflow;
  if (g_used * 2 >= g_index_size) {
    if (!grow_index()) return g_overflow;
    slot = slot_for(address);
  }
  g_entries[g_used].address = address;
  *slot = ++g_used;
  return g_entries[g_used - 1];
}

SyncEntry* look_for_entry(const void* object) {
  const auto address = reinterpret_cast<std::uint64_t>(object);
  if (g_entries == nullptr || address == 0) return nullptr;
  const std::uint32_t number = *slot_for(address);
  if (number == 0) return nullptr;
  return recent_entry(object) = &g_entries[number - 1];
}

}  // namespace heddle::controlled
