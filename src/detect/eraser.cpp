#include "detect/eraser.h"

namespace heddle {

namespace {

bool protects(const TakenLock& lock, bool writes) {
  return lock.mode == LockMode::exclusive || !writes;
}

}  // namespace

void Eraser::begin_run(const DetectorContext& context) {
  context_ = context;
  shadow_.begin_run(*context.arena);
}

void Eraser::take_all(Variable& variable, const Event& event) const {
  variable.lock_count = 0;
  for (const TakenLock& held : context_.held->of(event.thread)) {
    if (!protects(held, is_memory_write(event.kind)) || variable.lock_count == kLocks) continue;
    variable.locks[variable.lock_count++] = held.lock;
  }
}

void Eraser::intersect(Variable& variable, const Event& event) const {
  std::uint8_t kept = 0;
  for (std::uint8_t i = 0; i < variable.lock_count; ++i) {
    const TakenLock* const held = context_.held->find(event.thread, variable.locks[i]);
    if (held == nullptr || !protects(*held, is_memory_write(event.kind))) continue;
    variable.locks[kept++] = variable.locks[i];
  }
  variable.lock_count = kept;
}

void Eraser::use(Variable& variable, const Event& event, std::uint64_t granule) {
  const bool writes = is_memory_write(event.kind);
  const ThreadId thread = event.thread;
  switch (variable.state) {
    case EraserState::virgin:
      variable.state = EraserState::exclusive;
      variable.owner = thread;
      break;
    case EraserState::exclusive:
      if (thread == variable.owner) break;
      variable.state = EraserState::exclusive_prime;
      variable.owner = thread;
      take_all(variable, event);
      break;
    case EraserState::exclusive_prime:
      if (thread == variable.owner) {
        intersect(variable, event);
        break;
      }
      intersect(variable, event);
      variable.state = writes || variable.written ? EraserState::modified : EraserState::shared;
      break;
    case EraserState::shared:
      intersect(variable, event);
      if (writes) variable.state = EraserState::modified;
      break;
    case EraserState::modified:
      intersect(variable, event);
      break;
    case EraserState::race:
      return;
  }
  // Written by its second owner: what the first one wrote was handed over.
  if (variable.state != EraserState::exclusive) variable.written = variable.written || writes;
  if (variable.state == EraserState::modified && variable.lock_count == 0) {
    variable.state = EraserState::race;
    Finding finding{};
    finding.kind = FindingKind::race;
    finding.detector = context_.self;
    finding.first_kind = variable.last_kind;
    finding.second_kind = event.kind;
    finding.first_thread = variable.last;
    finding.second_thread = thread;
    finding.object = ObjectId{(granule << 3) + static_cast<unsigned>(__builtin_ctz(variable.mask))};
    finding.first_site = variable.site;
    finding.second_site = event.site;
    finding.first_step = variable.step;
    finding.second_step = event.step;
    context_.findings->report(finding);
  }
  variable.last = thread;
  variable.last_kind = event.kind;
  variable.site = event.site;
  variable.step = static_cast<std::uint32_t>(event.step);
}

void Eraser::granule(const Event& event, std::uint64_t granule, std::uint8_t mask) {
  std::uint32_t* const head = shadow_.head(granule);
  if (head == nullptr) return;
  bool known = false;
  for (std::uint32_t at = *head; at != Shadow<Variable>::kNone;) {
    Variable& variable = shadow_.at(at);
    at = variable.next;
    if ((variable.mask & mask) == 0) continue;
    known = true;
    use(variable, event, granule);
  }
  if (known) return;
  Variable* const variable = shadow_.push(*head);
  if (variable == nullptr) return;
  variable->mask = mask;
  use(*variable, event, granule);
}

void Eraser::on(const Event& event) {
  if (event.kind == EventKind::allocate) {
    shadow_.forget(event.object.value, event.argument);
    return;
  }
  if (!is_plain_access(event.kind) || event.phase == EventPhase::before) return;
  const std::uint64_t end = event.object.value + access_size(event);
  for (std::uint64_t at = event.object.value >> 3; at << 3 < end; ++at) {
    granule(event, at, Shadow<Variable>::mask_of(at, event.object.value, end));
  }
}

}  // namespace heddle
