#include "detect/fasttrack.h"

namespace heddle {

namespace {

bool conflict(EventKind a, EventKind b) {
  return (is_memory_write(a) || is_memory_write(b)) && !(is_atomic(a) && is_atomic(b));
}

// Would everything that conflicts with `earlier` conflict with `later` too?
bool covers(EventKind later, EventKind earlier) {
  if (is_atomic(later) && !is_atomic(earlier)) return false;
  return is_memory_write(later) || !is_memory_write(earlier);
}

// An atomic that was not carried out as its kind says.
EventKind effective_kind(const Event& event) {
  if (event.kind == EventKind::atomic_cas && event.result != 0) return EventKind::atomic_load;
  return event.kind;
}

}  // namespace

void FastTrack::begin_run(const DetectorContext& context) {
  context_ = context;
  shadow_.begin_run(*context.arena);
  sleeps_.clear();
}

std::uint64_t FastTrack::dropped() const { return shadow_.dropped(); }

void FastTrack::report(const Access& earlier, const Event& event, std::uint64_t granule,
                       std::uint8_t bytes) {
  Finding finding{};
  finding.kind = FindingKind::race;
  finding.detector = context_.self;
  finding.first_kind = earlier.kind;
  finding.second_kind = event.kind;
  finding.first_thread = earlier.thread;
  finding.second_thread = event.thread;
  finding.object = ObjectId{(granule << 3) + static_cast<unsigned>(__builtin_ctz(bytes))};
  finding.first_site = earlier.site;
  finding.second_site = event.site;
  finding.first_step = earlier.step;
  finding.second_step = event.step;
  finding.detail = bytes;
  context_.findings->report(finding);
  if (!is_memory_write(earlier.kind)) sleeps_[earlier.thread.value].polls = true;
  if (!slept_for_it(earlier, event, *shadow_.head(granule))) return;
  finding.kind = FindingKind::sleep_sync;
  finding.begun_site = sleeps_[event.thread.value].site;
  finding.detail = 0;
  context_.findings->report(finding);
}

bool FastTrack::slept_for_it(const Access& earlier, const Event& event, std::uint32_t head) {
  const Sleep& sleep = sleeps_[event.thread.value];
  if (sleep.site.value == 0 || sleep.polls || earlier.step >= sleep.woke) return false;
  for (std::uint32_t at = head; at != Shadow<Access>::kNone; at = shadow_.at(at).next) {
    const Access& own = shadow_.at(at);
    if (own.thread == event.thread && (own.mask & earlier.mask) != 0) return false;
  }
  return true;
}

void FastTrack::granule(const Event& event, std::uint64_t granule, std::uint8_t mask,
                        EventKind kind) {
  std::uint32_t* const head = shadow_.head(granule);
  if (head == nullptr) return;
  const std::uint32_t tick = context_.order->tick(event.thread);
  bool known = false;
  for (std::uint32_t* link = head; *link != Shadow<Access>::kNone;) {
    Access& earlier = shadow_.at(*link);
    const auto bytes = static_cast<std::uint8_t>(earlier.mask & mask);
    if (bytes != 0) {
      if (context_.order->ordered(earlier.thread, earlier.tick, event.thread)) {
        if (earlier.thread == event.thread && earlier.tick == tick && bytes == mask &&
            covers(earlier.kind, kind)) {
          known = true;  // same epoch: nothing new
          break;
        }
        if (covers(kind, earlier.kind)) {
          earlier.mask &= static_cast<std::uint8_t>(~bytes);
          if (earlier.mask == 0) {
            shadow_.remove(link);
            continue;
          }
        }
      } else if (conflict(kind, earlier.kind)) {
        report(earlier, event, granule, bytes);
      }
    }
    link = &earlier.next;
  }
  if (known) return;
  Access* const access = shadow_.push(*head);
  if (access == nullptr) return;
  access->site = event.site;
  access->tick = tick;
  access->step = static_cast<std::uint32_t>(event.step);
  access->thread = event.thread;
  access->mask = mask;
  access->kind = kind;
}

void FastTrack::on(const Event& event) {
  if (event.kind == EventKind::allocate) {
    shadow_.forget(event.object.value, event.argument);
    return;
  }
  if (event.kind == EventKind::sleep) {
    sleeps_[event.thread.value].site = event.site;
    sleeps_[event.thread.value].woke = event.step;
    return;
  }
  const bool plain = is_plain_access(event.kind);
  if (event.phase == EventPhase::before || (!plain && !is_atomic(event.kind))) return;
  const std::uint64_t size = access_size(event);
  if (size == 0) return;
  const EventKind kind = effective_kind(event);
  const std::uint64_t start = event.object.value;
  const std::uint64_t end = start + size;
  for (std::uint64_t at = start >> 3; at << 3 < end; ++at) {
    granule(event, at, Shadow<Access>::mask_of(at, start, end), kind);
  }
}

}  // namespace heddle
