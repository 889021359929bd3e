#include "detect/atomrace.h"

namespace heddle {

void AtomRace::begin_run(const DetectorContext& context) {
  context_ = context;
  open_.clear();
}

void AtomRace::on(const Event& event) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].thread != event.thread) continue;
    open_.erase_at(i);
    break;
  }
  if (!is_plain_access(event.kind)) return;
  const std::uint64_t start = event.object.value;
  const std::uint64_t end = start + access_size(event);
  for (const Event& other : open_) {
    if (other.object.value >= end || other.object.value + access_size(other) <= start) continue;
    if (!is_memory_write(other.kind) && !is_memory_write(event.kind)) continue;
    Finding finding{};
    finding.kind = FindingKind::race;
    finding.detector = context_.self;
    finding.first_kind = other.kind;
    finding.second_kind = event.kind;
    finding.first_thread = other.thread;
    finding.second_thread = event.thread;
    finding.object = ObjectId{start > other.object.value ? start : other.object.value};
    finding.first_site = other.site;
    finding.second_site = event.site;
    finding.first_step = other.step;
    finding.second_step = event.step;
    context_.findings->report(finding);
  }
  // Only what was announced is under way: an access that is done says nothing about what comes after it.
  if (event.phase == EventPhase::before && !open_.full()) open_.push_back(event);
}

}  // namespace heddle
