// What the object and the place of an operation are called. Looking that up takes longer than most operations do, and a thread
// mostly comes back to the same few.
#include "runtime/controlled/engine.h"
#include "runtime/identity.h"

namespace heddle::controlled {

// Where such a pair of names is looked for: there and in the next place.
static std::size_t pair_of(const void* address, const void* caller) {
  const auto key =
      reinterpret_cast<std::uint64_t>(address) >> 2 ^ reinterpret_cast<std::uint64_t>(caller);
  return (key * 0x9e3779b97f4a7c15ULL >> 32) % Task::kMostNamed & ~std::size_t{1};
}

static bool holds(const Named& named, const void* address, const void* caller) {
  const bool same =
      named.address == address && named.caller == caller && named.site.value != 0 &&
      named.places_changed == __atomic_load_n(&runtime::g_places_changed, __ATOMIC_RELAXED);
  const ObjectKind kind = object_kind(named.object);
  const bool may_be_block = kind == ObjectKind::heap || kind == ObjectKind::other;
  return same && (!may_be_block || named.blocks_changed == runtime::blocks_changed());
}

// The first of a pair is what was looked for last.
[[gnu::noinline]] static void find_names(Named* pair, const void* address, const void* caller) {
  pair[1] = pair[0];
  // Looking for a name may find that modules have changed.
  pair[0] = {address,
             caller,
             0,
             runtime::blocks_changed(),
             runtime::object_of(address),
             runtime::site_of(caller)};
  pair[0].places_changed = __atomic_load_n(&runtime::g_places_changed, __ATOMIC_RELAXED);
}

void Engine::name(Task& self, const void* address, const void* caller) {
  Named* named = &self.named[pair_of(address, caller)];
  if (!holds(named[0], address, caller)) {
    if (holds(named[1], address, caller)) {
      ++named;
    } else {
      find_names(named, address, caller);
    }
  }
  self.pending.object = named->object;
  self.pending.site = named->site;
}

}  // namespace heddle::controlled
