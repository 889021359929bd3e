#include "coverage/eraser.h"

#include "coverage/sorted_set.h"

namespace heddle {

void EraserCoverage::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  plain_ = rows[0];
  starred_ = rows[1];
}

void EraserCoverage::on(const Seen& seen) {
  if (seen.variable == nullptr || is_atomic(seen.event.kind)) return;
  EraserVariable& state = seen.variable->eraser;
  SortedSet locks;
  for (std::uint8_t i = 0; i < state.lock_count; ++i) {
    locks.insert(of_object(context_.identities->object(state.locks[i])));
  }
  const auto cover = [&](const MetricRow& row, bool with_thread) {
    if (!row.on) return;
    Task task{at_place(seen.place), of_object(seen.variable->object),
              as_word(static_cast<std::uint64_t>(state.phase))};
    if (with_thread) task.add(by_thread(context_.identities->thread(seen.event.thread)));
    locks.add_to(task);
    context_.cover(row, task);
  };
  cover(plain_, false);
  cover(starred_, true);
  eraser_use(state, seen.event.thread, is_memory_write(seen.event.kind),
             context_.held->of(seen.event.thread));
}

}  // namespace heddle
