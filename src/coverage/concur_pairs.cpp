#include "coverage/concur_pairs.h"

#include "coverage/passing.h"

namespace heddle {

void ConcurPairs::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  row_ = rows[0];
  last_place_ = 0;
  last_thread_ = kNoThread;
}

void ConcurPairs::on(const Seen& seen) {
  if (!passes(seen.event)) return;
  const bool switched = seen.event.thread != last_thread_;
  if (last_place_ != 0) {
    context_.cover(row_, {at_place(last_place_), at_place(seen.place), as_word(switched ? 1 : 0)});
  }
  last_place_ = seen.place;
  last_thread_ = seen.event.thread;
}

}  // namespace heddle
