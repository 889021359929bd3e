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

void Engine::name(Task& self, const void* address, const void* caller) {
  const std::uint64_t places = __atomic_load_n(&runtime::g_places_changed, __ATOMIC_RELAXED);
  const auto holds = [&](const Named& named) {
    const bool same = named.address == address && named.caller == caller &&
                      named.places_changed == places && named.site.value != 0;
    const ObjectKind kind = object_kind(named.object);
    const bool may_be_block = kind == ObjectKind::heap || kind == ObjectKind::other;
    return same && (!may_be_block || named.blocks_changed == runtime::blocks_changed());
  };
  Named* named = &self.named[pair_of(address, caller)];
  if (!holds(*named) && !holds(*++named)) {
    named[0] = named[-1];
    // Looking for a name may find that modules have changed.
    *--named = {address,
                caller,
                0,
                runtime::blocks_changed(),
                runtime::object_of(address),
                runtime::site_of(caller)};
    named->places_changed = __atomic_load_n(&runtime::g_places_changed, __ATOMIC_RELAXED);
  }
  self.pending.object = named->object;
  self.pending.site = named->site;
}

}  // namespace heddle::controlled
