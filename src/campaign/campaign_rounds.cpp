// What a round of a campaign is made of: plans that know what the rounds before it taught, and the runs that come of them.
#include <algorithm>
#include <iterator>
#include <optional>

#include "campaign/campaign.h"

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
  std::vector<RunSlot> made = make_runs(crew, work, rest);
  for (std::size_t i = 0; i < made.size(); ++i) slots[places[i]] = std::move(made[i]);
  return slots;
}

// The first run of this process is made alone, to see what decides and can be pinned. That is pinned in `inputs` and all plans to
// come then, and the run does not count.
FirstRun Campaign::make_first(Crew& crew, const Work& work, std::vector<RunInput>& inputs) {
  looked_what_to_pin_ = true;
  FirstRun first = first_run(crew, work, inputs.front());
  if (first.pins != 0) {
    plans_.pin(first.pins);
    for (RunInput& input : inputs) input.plan.flags |= first.pins;
  } else if (first.slot.done) {
    work.finished(first.slot);
  }
  return first;
}

// One slot for each input, or fewer: what is left out was not run.
std::vector<RunSlot> Campaign::make_runs(Crew& crew, Work& work, std::vector<RunInput>& inputs) {
  std::vector<RunSlot> slots;
  std::optional<RunSlot> replaced;
  if (!looked_what_to_pin_ && !inputs.empty() && options_.engine == EngineKind::controlled) {
    FirstRun first = make_first(crew, work, inputs);
    if (first.pins != 0) {
      replaced = std::move(first.slot);
    } else {
      const bool ends = !first.slot.done ||
                        (work.stop_at_failure && first.slot.suspicion.kind != FailureKind::none);
      slots.push_back(std::move(first.slot));
      if (ends) return slots;
    }
  }
  work.inputs = std::span(inputs).subspan(slots.size());
  std::vector<RunSlot> made = crew.execute(work);
  if (replaced) keep_descriptions(made.front().record, replaced->record);
  std::ranges::move(made, std::back_inserter(slots));
  return slots;
}

}  // namespace heddle::campaign
