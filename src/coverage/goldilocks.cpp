#include "coverage/goldilocks.h"

namespace heddle {

namespace {

// A longer history is not worth its time: the set then has only its first owner.
constexpr std::uint64_t kLongest = 2048;

constexpr std::uint32_t weight_of(GoldilocksCoverage::State state) {
  constexpr std::uint32_t kWeights[] = {1, 5, 5, 10};
  return kWeights[state];
}

}  // namespace

void GoldilocksCoverage::begin_run(const MetricContext& context, const MetricRow* rows) {
  context_ = context;
  plain_ = rows[0];
  starred_ = rows[1];
  short_circuits_ = rows[2];
  transfers_.begin_run(*context.arena);
}

GoldilocksCoverage::State GoldilocksCoverage::decide(const Variable& variable, ThreadId thread,
                                                     SortedSet& set) {
  Identities& identities = *context_.identities;
  if (variable.last.place == 0) return sct;
  if (variable.last.by == thread) {
    set.insert(by_thread(identities.thread(thread)));
    return sct;
  }
  if (variable.lock != 0) {
    const TakenLock* const held = context_.held->find(thread, variable.lock);
    if (held != nullptr && held->mode == LockMode::exclusive) {
      set.insert(of_object(identities.object(variable.lock)));
      return scl;
    }
  }
  if (transfers_.position() - variable.transfers > kLongest) {
    set.insert(by_thread(variable.last.thread));
    return ls;
  }
  TransferList::Set elements;
  const TransferList::Answer answer =
      transfers_.set_now(variable.last.by, variable.transfers, thread, elements);
  for (const std::uint64_t element : elements) {
    if (TransferList::is_auxiliary(element)) continue;
    const ThreadId owner = TransferList::thread_of(element);
    set.insert(owner == kNoThread ? of_object(identities.object(element))
                                  : by_thread(identities.thread(owner)));
  }
  return answer == TransferList::Answer::not_passed ? e : ls;
}

void GoldilocksCoverage::access(const Seen& seen) {
  Variable& variable = *seen.variable;
  SortedSet set;
  const State state = decide(variable, seen.event.thread, set);
  const auto cover = [&](const MetricRow& row, bool with_thread) {
    if (!row.on) return;
    Task task{at_place(seen.place), of_object(variable.object)};
    if (with_thread) task.add(by_thread(context_.identities->thread(seen.event.thread)));
    set.add_to(task);
    context_.cover(row, task);
  };
  cover(plain_, false);
  cover(starred_, true);
  if (short_circuits_.on) {
    Task task{at_place(seen.place), of_object(variable.object), as_word(state)};
    if (state == ls) set.add_to(task);
    context_.cover(short_circuits_, task, weight_of(state));
  }
  variable.transfers = transfers_.position();
  variable.lock = 0;
  for (const TakenLock& held : context_.held->of(seen.event.thread)) {
    if (held.mode == LockMode::exclusive) variable.lock = held.lock;
  }
}

void GoldilocksCoverage::follow(const Event& event) {
  if (event.kind != EventKind::rwlock_unlock) return transfers_.on(event);
  Event unlock = event;
  const TakenLock* const held = context_.held->find(event.thread, event.object.value);
  unlock.value = held != nullptr && held->mode == LockMode::shared ? 1 : 0;
  transfers_.on(unlock);
}

void GoldilocksCoverage::on(const Seen& seen) {
  const bool announced = seen.event.phase == EventPhase::before &&
                         (takes_mutex(seen.event.kind) || takes_shared(seen.event.kind) ||
                          takes_exclusive(seen.event.kind));
  if (seen.variable != nullptr && !is_atomic(seen.event.kind)) {
    access(seen);
  } else if (!announced) {
    follow(seen.event);
  }
}

}  // namespace heddle
