#include "campaign/pinning.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "campaign/uninstrumented.h"
#include "contract/run_plan.h"
#include "host/elf_file.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kOtherNumbers =
    3;  // runs that must all be like the first, or something decides
constexpr std::size_t kSameNumbers = 2;  // runs that are alike if it is that

constexpr std::string_view kReadTicks("\x0f\x31", 2);                  // rdtsc
constexpr std::string_view kReadTicksAndProcessor("\x0f\x01\xf9", 3);  // rdtscp

// `like` says only until when.
std::vector<RunSlot> make(Crew& crew, const Work& like, const RunInput& input, std::size_t times) {
  std::vector<RunInput> inputs(times, input);
  for (RunInput& probe : inputs) probe.plan.metrics = 0;  // what they cover is not counted
  Work work;
  work.inputs = inputs;
  work.alone = true;
  work.until = like.until;
  return crew.execute(work);
}

std::vector<std::uint64_t> event_hashes(Crew& crew, const Work& like, const RunInput& input,
                                        std::size_t times) {
  std::vector<std::uint64_t> hashes;
  for (const RunSlot& slot : make(crew, like, input, times)) {
    if (slot.done) hashes.push_back(slot.record.outcome.event_hash);
  }
  return hashes;
}

bool ids_decide(Crew& crew, const Work& work, const RunInput& input, std::uint64_t first_hash) {
  const std::vector<std::uint64_t> others = event_hashes(crew, work, input, kOtherNumbers);
  if (std::ranges::count(others, first_hash) == std::ranges::ssize(others)) return false;
  RunInput pinned = input;
  pinned.plan.flags |= kPlanPinnedIds;
  const std::vector<std::uint64_t> same = event_hashes(crew, work, pinned, kSameNumbers);
  return same.size() == kSameNumbers &&
         std::ranges::count(same, same.front()) == std::ranges::ssize(same);
}

}  // namespace

bool may_read_ticks(std::span<const ModuleRecord> modules) {
  return std::ranges::any_of(modules, [](const ModuleRecord& module) {
    const std::string_view path = module.path;
    if (is_runtime_library(path.substr(path.rfind('/') + 1))) return false;
    const std::optional<ElfFile> file = ElfFile::open(path);
    return file && (file->has_code(kReadTicks) || file->has_code(kReadTicksAndProcessor));
  });
}

FirstRun first_run(Crew& crew, const Work& work, const RunInput& input) {
  Work alone = work;
  alone.inputs = {&input, 1};
  alone.finished = nullptr;
  alone.capture_all = true;  // its modules
  FirstRun first;
  first.slot = std::move(crew.execute(alone).front());
  if (!first.slot.done) return first;
  const bool may_read = first.slot.capture && may_read_ticks(first.slot.capture->modules);
  if (first.slot.suspicion.kind == FailureKind::none) first.slot.capture.reset();
  RunInput tried = input;
  std::uint64_t first_hash = first.slot.record.outcome.event_hash;
  if (may_read) {
    tried.plan.flags |= kPlanVirtualTicks;
    const std::vector<RunSlot> probe = make(crew, work, tried, 1);
    if (probe.front().done && probe.front().record.outcome.asked_ticks != 0) {
      first.pins |= kPlanVirtualTicks;
      first_hash = probe.front().record.outcome.event_hash;
    } else {
      tried = input;
    }
  }
  if (first.slot.record.outcome.asked_ids != 0 && ids_decide(crew, work, tried, first_hash)) {
    first.pins |= kPlanPinnedIds;
  }
  return first;
}

}  // namespace heddle::campaign
