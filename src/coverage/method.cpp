#include "coverage/method.h"

#include "coverage/passing.h"

namespace heddle {

void MethodCoverage::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  methods_ = rows[0];
  pairs_ = rows[1];
  events_ = 0;
  last_thread_ = kNoThread;
  for (Thread*& thread : threads_) thread = nullptr;
  for (Passed& passed : passed_) passed = {};
}

MethodCoverage::Thread* MethodCoverage::thread(ThreadId id) {
  if (threads_[id.value] == nullptr) threads_[id.value] = context_.arena->make<Thread>();
  return threads_[id.value];
}

void MethodCoverage::interrupt(const Seen& seen, Thread& thread) {
  const Identities::Frame* const frames = context_.identities->frames(seen.event.thread);
  const std::uint32_t depth = context_.identities->depth(seen.event.thread);
  for (std::uint32_t i = 0; i < depth; ++i) {
    if (frames[i].activation > thread.calls_then) break;  // entered since
    // The function of a frame holds the place from which the next one was called.
    const std::uint64_t inside = i + 1 < depth ? frames[i + 1].call_site : seen.place;
    thread.frames[i].interrupted = true;
    context_.cover(methods_, {in_function(inside), as_word(interrupted)});
  }
  if (depth == 0) context_.cover(methods_, {in_function(seen.place), as_word(interrupted)});
  if (!pairs_.on || (depth > 0 && frames[depth - 1].activation > thread.calls_then)) return;
  for (const Passed& passed : passed_) {
    if (passed.event <= thread.last_event || passed.thread == seen.event.thread) continue;
    context_.cover(pairs_, {in_function(seen.place), in_function(passed.place)});
  }
}

// The frame that was left is the one past the present depth.
void MethodCoverage::leave(const Event& event) {
  Thread* const own = thread(event.thread);
  const std::uint32_t frame = context_.identities->depth(event.thread);
  if (own == nullptr || frame >= Identities::kMostFrames) return;
  Activity& activity = own->frames[frame];
  if (!activity.interrupted && activity.inside != 0) {
    context_.cover(methods_, {in_function(activity.inside), as_word(uninterrupted)});
  }
  activity = {};
}

void MethodCoverage::on(const Seen& seen) {
  if (seen.event.kind == EventKind::function_exit) return leave(seen.event);
  if (seen.event.kind == EventKind::function_enter || !passes(seen.event)) return;
  Thread* const own = thread(seen.event.thread);
  if (own == nullptr) return;
  ++events_;
  if (last_thread_ != seen.event.thread && own->last_event != 0) interrupt(seen, *own);
  last_thread_ = seen.event.thread;
  own->last_event = events_;
  const std::uint32_t depth = context_.identities->depth(seen.event.thread);
  const Identities::Frame* const frames = context_.identities->frames(seen.event.thread);
  own->calls_then = depth == 0 ? 0 : frames[depth - 1].activation;
  for (std::uint32_t i = 0; i < depth; ++i) {
    own->frames[i].inside = i + 1 < depth ? frames[i + 1].call_site : seen.place;
  }
  passed_[events_ % kRemembered] = {seen.place, events_, seen.event.thread};
}

}  // namespace heddle
