#include "runtime/controlled/sync_table.h"

#include "base/hash.h"
#include "runtime/platform/memory.h"

namespace heddle::controlled {

namespace {

constexpr std::size_t kEntries = std::size_t{1} << 18;
constexpr std::size_t kMostUsed = kEntries - kEntries / 8;

SyncEntry* g_entries;  // open addressing; the order of entries is never iterated
std::size_t g_used;
SyncEntry g_overflow;

SyncEntry* slot_for(std::uint64_t address) {
  std::size_t at = mix64(address) & (kEntries - 1);
  while (g_entries[at].address != 0 && g_entries[at].address != address) {
    at = (at + 1) & (kEntries - 1);
  }
  return &g_entries[at];
}

}  // namespace

void clear_sync_table() {
  // Once per process: a run is a fresh fork of the server, which never touched the table.
  if (g_entries == nullptr) {
    g_entries = static_cast<SyncEntry*>(runtime::map_memory(kEntries * sizeof(SyncEntry)));
  }
}

SyncEntry& sync_entry(const void* object) {
  const auto address = reinterpret_cast<std::uint64_t>(object);
  if (g_entries == nullptr || address == 0) return g_overflow;
  SyncEntry* const slot = slot_for(address);
  if (slot->address == address) return *slot;
  if (g_used >= kMostUsed) return g_overflow;
  ++g_used;
  slot->address = address;
  return *slot;
}

SyncEntry* find_sync(const void* object) {
  const auto address = reinterpret_cast<std::uint64_t>(object);
  if (g_entries == nullptr || address == 0) return nullptr;
  SyncEntry* const slot = slot_for(address);
  return slot->address == address ? slot : nullptr;
}

}  // namespace heddle::controlled
