#include "coverage/du_pairs.h"

namespace heddle {

void DefinitionUsePairs::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  pairs_ = rows[0];
  starred_ = rows[1];
  reads_from_ = rows[2];
}

// The variable's last write is still the one before this event.
void DefinitionUsePairs::on(const Seen& seen) {
  if (seen.variable == nullptr || !is_memory_read(seen.event.kind)) return;
  const Variable& variable = *seen.variable;
  const PastAccess& write = variable.write;
  context_.cover(reads_from_,
                 {of_object(variable.object), at_place(write.place), at_place(seen.place),
                  as_word(write.place == 0                ? 0
                          : write.by == seen.event.thread ? 1
                                                          : 2)});
  if (write.place == 0) return;
  context_.cover(pairs_, {of_object(variable.object), at_place(write.place), at_place(seen.place)});
  if (!starred_.on) return;
  context_.cover(starred_, {of_object(variable.object), at_place(write.place), at_place(seen.place),
                            by_thread(write.thread),
                            by_thread(context_.identities->thread(seen.event.thread))});
}

}  // namespace heddle
