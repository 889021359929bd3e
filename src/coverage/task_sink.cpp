#include "coverage/task_sink.h"

#include "coverage/identities.h"

namespace heddle {

void TaskSink::begin_run(CoverageArea& area, Identities& identities) {
  area_ = &area;
  identities_ = &identities;
  area.covered_count = 0;
  area.described_count = 0;
  area.dropped = 0;
}

void TaskSink::cover(std::uint8_t metric, std::uint64_t name_hash, const Task& task,
                     std::uint32_t weight) {
  CoverageArea& area = *area_;
  const std::uint64_t feature = combine(name_hash, task.hash()) | 1;
  std::size_t at = feature >> 1 & (kFeatureSlots - 1);
  while (area.map[at].feature != 0 && area.map[at].feature != feature) {
    at = (at + 1) & (kFeatureSlots - 1);
  }
  FeatureSlot& slot = area.map[at];
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
