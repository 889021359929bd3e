#include "coverage/goodlock.h"

namespace heddle {

void GoodlockCoverage::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  plain_ = rows[0];
  starred_ = rows[1];
}

// A lock is asked for when it is announced; who was not announced asked when it took it.
void GoodlockCoverage::on(const Seen& seen) {
  const Event& event = seen.event;
  if (!takes_mutex(event.kind) && !takes_shared(event.kind) && !takes_exclusive(event.kind)) return;
  const LockStacks::Stack& held = context_.held->of(event.thread);
  if (held.empty()) return;
  Identities& identities = *context_.identities;
  const std::uint64_t wanted = identities.object(event.object.value);
  for (const TakenLock& lock : held) {
    if (lock.lock == event.object.value) continue;
    const std::uint64_t first = identities.place(lock.site);
    const std::uint64_t object = identities.object(lock.lock);
    context_.cover(plain_,
                   {at_place(first), at_place(seen.place), of_object(object), of_object(wanted)});
    if (!starred_.on) continue;
    context_.cover(starred_, {at_place(first), at_place(seen.place), of_object(object),
                              of_object(wanted), by_thread(identities.thread(event.thread))});
  }
}

}  // namespace heddle
