#include "coverage/task_sink.h"

#include "coverage/identities.h"

namespace heddle {

namespace {

FeatureSlot* map_of(CoverageArea& area, std::size_t slots) {
  return area.maps + slots - kFirstSlots;
}

// Where the feature is, or the free slot where it would be.
FeatureSlot& slot_of(FeatureSlot* map, std::size_t slots, std::uint64_t feature) {
  std::size_t at = feature >> 1 & (slots - 1);
  while (map[at].feature != 0 && map[at].feature != feature) at = (at + 1) & (slots - 1);
  return map[at];
}

// Copies into a map of twice the size, which counts only when it is complete: the process may be killed at any moment.
void grow(CoverageArea& area) {
  const std::size_t slots = area.slot_count;
  FeatureSlot* const from = map_of(area, slots);
  FeatureSlot* const to = map_of(area, 2 * slots);
  for (std::size_t i = 0; i < slots; ++i) {
    if (from[i].feature != 0) slot_of(to, 2 * slots, from[i].feature) = from[i];
  }
  __atomic_store_n(&area.slot_count, 2 * slots, __ATOMIC_RELEASE);
}

}  // namespace

void TaskSink::begin_run(CoverageArea& area, Identities& identities) {
  area_ = &area;
  identities_ = &identities;
  area.covered_count = 0;
  area.described_count = 0;
  area.dropped = 0;
  if (area.slot_count == 0) area.slot_count = kFirstSlots;
}

void TaskSink::cover(std::uint8_t metric, std::uint64_t name_hash, const Task& task,
                     std::uint32_t weight) {
  CoverageArea& area = *area_;
  const std::uint64_t feature = combine(name_hash, task.hash()) | 1;
  FeatureSlot& slot = slot_of(map_of(area, area.slot_count), area.slot_count, feature);
  if (slot.feature == feature && slot.epoch == area.epoch) return;
  if (area.covered_count == kCoveredCapacity ||
      (slot.feature == 0 && area.feature_count == kCoveredCapacity)) {
    ++area.dropped;
    return;
  }
  if (slot.feature == 0) {
    describe(feature, metric, task, weight);
    slot.feature = feature;
    ++area.feature_count;
  }
  slot.epoch = area.epoch;
  area.covered[area.covered_count++] = feature;
  if (area.feature_count > area.slot_count / 4 * 3 && area.slot_count < kFeatureSlots) grow(area);
}

void TaskSink::describe(std::uint64_t feature, std::uint8_t metric, const Task& task,
                        std::uint32_t weight) {
  TaskRecord& record = area_->described[area_->described_count++];
  record = {};
  record.feature = Feature{feature};
  record.metric = metric;
  record.weight = weight;
  for (const Part& part : task.parts()) {
    record.kinds[record.part_count] = part.kind;
    record.parts[record.part_count++] = part.value;
    if (part.kind == PartKind::thread) identities_->note_thread(part.value, *area_);
    if (part.kind == PartKind::object) identities_->note_object(ObjectId{part.value}, *area_);
  }
}

}  // namespace heddle
