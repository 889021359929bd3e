// What a round of a campaign is made of: plans that know what the rounds before it taught, and the runs that come of them.
#include <algorithm>
#include <optional>

#include "campaign/campaign.h"
#include "campaign/pinning.h"

namespace heddle::campaign {

std::vector<RunInput> Campaign::plan_round() {
  const std::uint64_t first = result_.totals.runs + 1;
  std::uint64_t last = chooser_.last_of_round(first);
  if (options_.run_budget) last = std::min(last, *options_.run_budget);
  const Knowledge knowledge = snapshot(learned_);
  std::vector<RunInput> inputs;
  for (std::uint64_t run = first; run <= last; ++run) {
    const std::optional<StrategyChoice> choice = chooser_.choose(run, knowledge);
    if (!choice) break;
    inputs.push_back(plans_.make(run, *choice, knowledge));
  }
  return inputs;
}

// What an earlier process ran before it was killed is not run again.
std::vector<RunSlot> Campaign::run_round(Crew& crew, Work& work) {
  const std::vector<RunInput> inputs = plan_round();
  std::vector<RunSlot> slots(inputs.size());
  std::vector<RunInput> rest;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (std::optional<RunSlot> known = ledger_->recall(inputs[i])) {
      slots[i] = *std::move(known);
    } else {
      rest.push_back(inputs[i]);
      places.push_back(i);
    }
  }
  std::size_t begun = 0;
  std::optional<RunSlot> replaced;
  if (!looked_at_ids_ && !rest.empty() && options_.engine == EngineKind::controlled) {
    looked_at_ids_ = true;
    FirstRun first = first_run(crew, work, rest.front());
    if (first.ids_decide) {
      plans_.pin_ids();
      for (RunInput& input : rest) input.plan.flags |= kPlanPinnedIds;
      replaced = std::move(first.slot);
    } else {
      if (first.slot.done) work.finished(first.slot);
      const bool ends = !first.slot.done ||
                        (work.stop_at_failure && first.slot.suspicion.kind != FailureKind::none);
      slots[places.front()] = std::move(first.slot);
      if (ends) return slots;
      begun = 1;
    }
  }
  work.inputs = std::span(rest).subspan(begun);
  std::vector<RunSlot> made = crew.execute(work);
  if (replaced) keep_descriptions(made.front().record, replaced->record);
  for (std::size_t i = 0; i < made.size(); ++i) slots[places[begun + i]] = std::move(made[i]);
  return slots;
}

}  // namespace heddle::campaign
