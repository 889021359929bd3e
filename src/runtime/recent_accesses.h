// What a thread did since it last synchronised. Whoever looks at order alone (fasttrack) learns nothing from the same access
// made again, so the free engine need not wait for its turn to show it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/event.h"

namespace heddle::runtime {

// A table by address, where a later access takes the place of an earlier one. Zeroed memory is an empty one.
class RecentAccesses {
 public:
  // True if this access, or a write there, was made in the same era (not 0); notes it if not.
  bool knows(std::uint64_t era, const void* address, std::size_t size, EventKind kind) {
    const auto number = reinterpret_cast<std::uint64_t>(address);
    Access& known = accesses_[(number >> 2) % kPlaces];
    const bool writes = is_memory_write(kind);
    if (known.address == number && known.era == era && known.size >= size &&
        (known.writes || !writes)) {
      return true;
    }
    known = {number, era, static_cast<std::uint32_t>(size), writes};
    return false;
  }

 private:
  static constexpr std::size_t kPlaces = 4096;
  struct Access {
    std::uint64_t address;
    std::uint64_t era;  // 0: nothing
    std::uint32_t size;
    bool writes;
  };
  Access accesses_[kPlaces];
};

// Of the calling thread, since it last synchronised or memory became somebody's afresh.
bool access_is_known(const void* address, std::size_t size, EventKind kind);

// The calling thread synchronised.
void forget_recent_accesses();
// Memory is somebody's afresh: no thread knows it.
void forget_everybodys_accesses();

}  // namespace heddle::runtime
