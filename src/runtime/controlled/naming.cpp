// What the object and the place of an operation are called. Looking that up takes longer than most operations do, and a thread
// mostly comes back to the same few.
#include "runtime/controlled/engine.h"
#include "runtime/identity.h"

namespace heddle::controlled {

void Engine::name(Task& self, const void* address, const void* caller) {
  const auto key =
      reinterpret_cast<std::uint64_t>(address) >> 3 ^ reinterpret_cast<std::uint64_t>(caller) >> 1;
  Named& named = self.named[key % Task::kMostNamed];
  const std::uint64_t places = __atomic_load_n(&runtime::g_places_changed, __ATOMIC_RELAXED);
  const bool same = named.address == address && named.caller == caller &&
                    named.places_changed == places && named.site.value != 0;
  const auto may_be_block = [](ObjectId object) {
    return object_kind(object) == ObjectKind::heap || object_kind(object) == ObjectKind::other;
  };
  if (!same || (may_be_block(named.object) && named.blocks_changed != runtime::blocks_changed())) {
    // Looking for a name may find that modules have changed.
    named = {address,
             caller,
             0,
             runtime::blocks_changed(),
             runtime::object_of(address),
             runtime::site_of(caller)};
    named.places_changed = __atomic_load_n(&runtime::g_places_changed, __ATOMIC_RELAXED);
  }
  self.pending.object = named.object;
  self.pending.site = named.site;
}

}  // namespace heddle::controlled
