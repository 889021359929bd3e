#include "detect/check_then_act.h"

#include "base/hash.h"

namespace heddle {

namespace {

std::uint64_t key_of(ThreadId thread, std::uint64_t lock) { return combine(lock, thread.value); }

bool near(std::uint64_t a, std::uint64_t b, std::uint64_t distance) {
  return a < b ? b - a < distance : a - b < distance;
}

}  // namespace

void CheckThenAct::begin_run(const DetectorContext& context) {
  context_ = context;
  reads_.begin_run(*context.arena);
  sections_.begin_run(*context.arena);
  stale_.clear();
  dropped_ = 0;
}

void CheckThenAct::enter(ThreadId thread, std::uint64_t lock) {
  Section* const section = sections_.find_or_make(key_of(thread, lock));
  if (section == nullptr) {
    ++dropped_;
    return;
  }
  ++section->number;
}

std::uint32_t CheckThenAct::section(ThreadId thread, std::uint64_t lock) const {
  const Section* const section = sections_.find(key_of(thread, lock));
  return section == nullptr ? 0 : section->number;
}

void CheckThenAct::read(const Event& event, std::uint64_t lock, std::uint64_t granule,
                        std::uint8_t mask) {
  std::uint32_t* const head = reads_.head(granule);
  if (head == nullptr) return;
  for (std::uint32_t* link = head; *link != Shadow<Read>::kNone;) {
    Read& known = reads_.at(*link);
    if (known.thread == event.thread && known.lock == lock) {
      reads_.remove(link);
    } else {
      link = &known.next;
    }
  }
  Read* const record = reads_.push(*head);
  if (record == nullptr) return;
  record->lock = lock;
  record->site = event.site;
  record->section = section(event.thread, lock);
  record->thread = event.thread;
  record->mask = mask;
}

void CheckThenAct::now_stale(const Read& read, const Event& write) {
  StaleReads*& stale = stale_[read.thread.value];
  if (stale == nullptr) stale = context_.arena->make<StaleReads>();
  if (stale == nullptr) {
    ++dropped_;
    return;
  }
  if (stale->size() == kMostStale)
    stale->erase_at(0);  // the oldest is the least likely to be acted on
  stale->push_back({write.object.value, read.lock, read.site, write.site, read.section,
                    write.thread, write.kind});
}

void CheckThenAct::write(const Event& event, std::uint64_t lock, std::uint64_t granule,
                         std::uint8_t mask) {
  std::uint32_t* const head = reads_.head(granule);
  if (head == nullptr) return;
  for (std::uint32_t* link = head; *link != Shadow<Read>::kNone;) {
    Read& known = reads_.at(*link);
    if (known.lock != lock || (known.mask & mask) == 0) {
      link = &known.next;
      continue;
    }
    // Who writes in the section in which it read has acted already.
    if (known.thread != event.thread) now_stale(known, event);
    reads_.remove(link);
  }
}

void CheckThenAct::act(const Event& event, std::uint64_t lock) {
  StaleReads* const stale = stale_[event.thread.value];
  if (stale == nullptr) return;
  const std::uint32_t now = section(event.thread, lock);
  for (std::size_t i = stale->size(); i-- > 0;) {
    const Stale one = (*stale)[i];
    if (one.lock != lock || one.section == now) continue;
    const bool concerns =
        one.section + 1 == now && near(one.address, event.object.value, kObjectBytes);
    if (concerns) {
      Finding finding{};
      finding.kind = FindingKind::atomicity;
      finding.detector = context_.self;
      finding.first_kind = one.write_kind;
      finding.second_kind = event.kind;
      finding.first_thread = one.writer;
      finding.second_thread = event.thread;
      finding.object = ObjectId{one.address};
      finding.first_site = one.write_site;
      finding.second_site = event.site;
      finding.begun_site = one.read_site;
      finding.second_step = event.step;
      context_.findings->report(finding);
    }
    if (concerns || one.section + 1 < now) stale->erase_at(i);
  }
}

void CheckThenAct::on(const Event& event) {
  if (event.kind == EventKind::allocate) {
    reads_.forget(event.object.value, event.argument);
    return;
  }
  if (event.phase == EventPhase::before) return;
  const bool takes =
      takes_mutex(event.kind) || takes_shared(event.kind) || takes_exclusive(event.kind);
  if (takes && succeeded(event)) return enter(event.thread, event.object.value);
  if (is_wait(event.kind)) return enter(event.thread, event.argument);
  if (!is_plain_access(event.kind) && !is_atomic(event.kind)) return;
  const std::uint64_t size = access_size(event);
  if (size == 0) return;
  const std::uint64_t end = event.object.value + size;
  const bool writes = is_memory_write(event.kind);
  for (const TakenLock& held : context_.held->of(event.thread)) {
    if (writes) act(event, held.lock);
    for (std::uint64_t at = event.object.value >> 3; at << 3 < end; ++at) {
      const std::uint8_t mask = Shadow<Read>::mask_of(at, event.object.value, end);
      if (is_memory_read(event.kind)) read(event, held.lock, at, mask);
      if (writes) write(event, held.lock, at, mask);
    }
  }
}

}  // namespace heddle
