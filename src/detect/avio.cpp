#include "detect/avio.h"

namespace heddle {

void Avio::begin_run(const DetectorContext& context) {
  context_ = context;
  shadow_.begin_run(*context.arena);
}

void Avio::report(const Access& access, const Remote& remote, const Event& event,
                  std::uint64_t granule) {
  Finding finding{};
  finding.kind = FindingKind::atomicity;
  finding.detector = context_.self;
  finding.first_kind = remote.kind;
  finding.second_kind = event.kind;
  finding.first_thread = remote.thread;
  finding.second_thread = event.thread;
  finding.object = ObjectId{(granule << 3) + static_cast<unsigned>(__builtin_ctz(access.mask))};
  finding.first_site = remote.site;
  finding.second_site = event.site;
  finding.begun_site = access.site;
  finding.second_step = event.step;
  context_.findings->report(finding);
}

void Avio::granule(const Event& event, std::uint64_t granule, std::uint8_t mask) {
  std::uint32_t* const head = shadow_.head(granule);
  if (head == nullptr) return;
  const bool writes = is_memory_write(event.kind);
  for (std::uint32_t* link = head; *link != Shadow<Access>::kNone;) {
    Access& access = shadow_.at(*link);
    const bool overlaps = (access.mask & mask) != 0;
    if (overlaps && access.thread == event.thread) {
      const bool wrote = is_memory_write(access.kind);
      if (access.write.site.value != 0 && is_unserialisable(wrote, true, writes)) {
        report(access, access.write, event, granule);
      } else if (access.read.site.value != 0 && is_unserialisable(wrote, false, writes)) {
        report(access, access.read, event, granule);
      }
      shadow_.remove(link);
      continue;
    }
    if (overlaps) {
      Remote& remote = writes ? access.write : access.read;
      remote = {event.site, event.thread, event.kind};
    }
    link = &access.next;
  }
  Access* const access = shadow_.push(*head);
  if (access == nullptr) return;
  access->site = event.site;
  access->thread = event.thread;
  access->mask = mask;
  access->kind = event.kind;
}

void Avio::on(const Event& event) {
  if (event.kind == EventKind::allocate) {
    shadow_.forget(event.object.value, event.argument);
    return;
  }
  const bool memory = is_plain_access(event.kind) || is_atomic(event.kind);
  if (!memory || event.phase == EventPhase::before) return;
  const std::uint64_t size = access_size(event);
  if (size == 0) return;
  const std::uint64_t end = event.object.value + size;
  for (std::uint64_t at = event.object.value >> 3; at << 3 < end; ++at) {
    granule(event, at, Shadow<Access>::mask_of(at, event.object.value, end));
  }
}

}  // namespace heddle
