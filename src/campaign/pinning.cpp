#include "campaign/pinning.h"

#include <algorithm>
#include <vector>

#include "contract/run_plan.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kOtherNumbers =
    3;  // runs that must all be like the first, or something decides
constexpr std::size_t kSameNumbers = 2;  // runs that are alike if it is that

std::vector<std::uint64_t> event_hashes(Crew& crew, const Work& like, const RunInput& input,
                                        std::size_t times) {
  std::vector<RunInput> inputs(times, input);
  for (RunInput& probe : inputs) probe.plan.metrics = 0;  // what they cover is not counted
  Work work;
  work.inputs = inputs;
  work.alone = true;
  work.until = like.until;
  std::vector<std::uint64_t> hashes;
  for (const RunSlot& slot : crew.execute(work)) {
    if (slot.done) hashes.push_back(slot.record.outcome.event_hash);
  }
  return hashes;
}

}  // namespace

FirstRun first_run(Crew& crew, const Work& work, const RunInput& input) {
  Work alone = work;
  alone.inputs = {&input, 1};
  alone.finished = nullptr;
  FirstRun first;
  first.slot = std::move(crew.execute(alone).front());
  const RunOutcome& outcome = first.slot.record.outcome;
  if (!first.slot.done || outcome.asked_ids == 0) return first;
  const std::vector<std::uint64_t> others = event_hashes(crew, work, input, kOtherNumbers);
  if (std::ranges::count(others, outcome.event_hash) == std::ranges::ssize(others)) return first;
  RunInput pinned = input;
  pinned.plan.flags |= kPlanPinnedIds;
  const std::vector<std::uint64_t> same = event_hashes(crew, work, pinned, kSameNumbers);
  first.ids_decide = same.size() == kSameNumbers &&
                     std::ranges::count(same, same.front()) == std::ranges::ssize(same);
  return first;
}

}  // namespace heddle::campaign
