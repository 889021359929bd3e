#include "coverage/avio.h"

namespace heddle {

void AvioCoverage::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  plain_ = rows[0];
  starred_ = rows[1];
}

void AvioCoverage::on(const Seen& seen) {
  if (seen.variable == nullptr) return;
  Variable& variable = *seen.variable;
  const std::uint64_t who = starred_.on ? context_.identities->thread(seen.event.thread) : 0;
  const PastAccess now{seen.place, who, seen.event.thread, seen.event.kind};
  LocalAccess* own = nullptr;
  for (LocalAccess* access = variable.accesses; access != nullptr; access = access->next) {
    if (access->local.by == seen.event.thread) {
      own = access;
    } else {
      access->remote = now;
    }
  }
  if (own == nullptr) {
    own = context_.arena->make<LocalAccess>();
    if (own == nullptr) return;
    own->next = variable.accesses;
    variable.accesses = own;
  } else if (own->remote.place != 0) {
    context_.cover(plain_, {at_place(own->local.place), at_place(seen.place),
                            at_place(own->remote.place), of_object(variable.object)});
    context_.cover(starred_,
                   {at_place(own->local.place), at_place(seen.place), at_place(own->remote.place),
                    of_object(variable.object), by_thread(who), by_thread(own->remote.thread)});
  }
  own->local = now;
  own->remote = {};
}

}  // namespace heddle
