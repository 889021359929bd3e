#include "detect/detector_set.h"

namespace heddle {

void DetectorSet::begin_run(const Settings& settings, FindingLog& findings) {
  arena_.begin_run(settings.map, settings.memory);
  active_.clear();
  watches_memory_ = false;
  needs_turns_ = false;
  tracker_ = nullptr;
  waits_.clear();
  if (settings.detectors == 0) return;
  order_.begin_run(arena_);
  held_.begin_run(arena_);
  bool others_watch = false;
  const std::span<const DetectorRow> rows = detector_catalog();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if ((settings.detectors & bit_of_row(i)) == 0) continue;
    Detector& detector = rows[i].instance();
    detector.begin_run({&arena_, &order_, &held_, &findings, settings.lock_order,
                        static_cast<std::uint8_t>(i), settings.directory, settings.barrier});
    active_.push_back(&detector);
    watches_memory_ = watches_memory_ || rows[i].memory != Memory::ignores;
    needs_turns_ = needs_turns_ || rows[i].memory != Memory::tracks;
    others_watch = others_watch || rows[i].memory == Memory::watches;
    if (rows[i].memory == Memory::tracks) tracker_ = static_cast<FastTrack*>(&detector);
  }
  if (others_watch) tracker_ = nullptr;
}

// A wait that is cancelled never returns, and still its thread holds the mutex again when it goes on.
// An engine may also show the end of a wait as what it is made of: the mutex is locked. Detectors see one thing. Nothing
// else ends a wait: a signal handler may run in one, and the unwinder calls libc before a cancelled thread has the mutex.
// True if the event was told as that end.
bool DetectorSet::end_wait(const Event& event) {
  Event& wait = waits_[event.thread.value];
  const bool locks = takes_mutex(event.kind) && event.object.value == wait.argument;
  Event end = wait;
  if (locks || (is_wait(event.kind) && event.phase == EventPhase::after)) {
    wait.kind = EventKind::none;
  }
  if (!locks) return false;
  end.phase = EventPhase::after;
  end.step = event.step;
  end.result = event.argument == kLeftUnwoken ? ETIMEDOUT : 0;
  feed(end);
  return true;
}

void DetectorSet::on(const Event& event) {
  if (event.thread.value >= kMaxThreads) return;  // a thread without a number has no history
  if (in_wait(event.thread) && end_wait(event)) return;
  feed(event);
  if (is_wait(event.kind) && event.phase == EventPhase::before) waits_[event.thread.value] = event;
}

void DetectorSet::feed(const Event& event) {
  const bool announced = event.phase == EventPhase::before && is_plain_access(event.kind);
  if (!announced) order_.acquire_side(event);
  for (Detector* detector : active_) detector->on(event);
  if (announced) return;
  order_.release_side(event);
  held_.on(event);
}

void DetectorSet::end_run() {
  for (Detector* detector : active_) detector->end_run();
}

std::uint64_t DetectorSet::dropped() const {
  std::uint64_t sum = held_.dropped() + (order_.blind() ? 1 : 0);
  for (const Detector* detector : active_) sum += detector->dropped();
  return sum;
}

}  // namespace heddle
