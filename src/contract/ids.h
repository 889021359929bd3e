// Who, where, what: identities that survive runs (nothing here is an address or a time).
#pragma once

#include <cstdint>

#include "base/id.h"

namespace heddle {

// Position in a run's order of thread creation; main is 0. In the controlled engine the same thread has the
// same id in every run with the same decisions. ThreadRecord (contract/control.h) keeps its path: (parent, n-th child).
using ThreadId = Id<struct ThreadTag, std::uint16_t>;
inline constexpr ThreadId kNoThread{0xffff};

// Module index (control block's module table) in the top 16 bits, offset into that module's file image below.
// Shown as function file:line. 0 is "unknown".
using SiteId = Id<struct SiteTag, std::uint64_t>;
constexpr SiteId make_site(std::uint64_t module, std::uint64_t offset) {
  return SiteId{module << 48 | (offset & 0xffff'ffff'ffffULL)};
}
constexpr std::uint64_t site_module(SiteId site) { return site.value >> 48; }
constexpr std::uint64_t site_offset(SiteId site) { return site.value & 0xffff'ffff'ffffULL; }

// What was touched. The top 4 bits say how the rest is to be read.
using ObjectId = Id<struct ObjectTag, std::uint64_t>;
enum class ObjectKind : std::uint8_t {
  none = 0,
  global = 1,  // module index (12 bits), offset in the module (48 bits)
  heap =
      2,  // hash of (allocating thread's path, allocation site, n-th there) (36 bits), offset (24 bits)
  stack = 3,      // thread id (16 bits), distance below the stack's top (44 bits)
  other = 4,      // mapped memory: the address itself; stable only while ASLR is off
  thread = 5,     // a thread as an object: its id
  clock = 6,      // virtual time
  descriptor = 7  // a file descriptor
};
constexpr ObjectKind object_kind(ObjectId object) {
  return static_cast<ObjectKind>(object.value >> 60);
}
constexpr ObjectId make_object(ObjectKind kind, std::uint64_t rest) {
  return ObjectId{static_cast<std::uint64_t>(kind) << 60 | (rest & 0x0fff'ffff'ffff'ffffULL)};
}
constexpr ObjectId make_global(std::uint64_t module, std::uint64_t offset) {
  return make_object(ObjectKind::global, (module & 0xfff) << 48 | (offset & 0xffff'ffff'ffffULL));
}
constexpr ObjectId make_heap(std::uint64_t block_hash, std::uint64_t offset) {
  return make_object(ObjectKind::heap,
                     (block_hash & 0xf'ffff'ffffULL) << 24 | (offset & 0xff'ffff));
}
constexpr ObjectId make_stack(ThreadId owner, std::uint64_t below_top) {
  return make_object(ObjectKind::stack,
                     std::uint64_t{owner.value} << 44 | (below_top & 0xfff'ffff'ffffULL));
}

}  // namespace heddle
