#include "campaign/transfer.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>
#include <memory>
#include <tuple>

#include "base/hash.h"
#include "campaign/explain_names.h"
#include "campaign/plan_maker.h"

namespace heddle::campaign {

namespace {

constexpr std::uint64_t kLearningRounds = 3;
constexpr std::uint64_t kLearningRuns = 4;   // of each round
constexpr std::size_t kMostDecisions = 200;  // to find again: each takes a run

// "[24 B from node.cpp:7]+8" and "local 0x40 of T1" without what an edit elsewhere changes.
std::string lasting(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    const bool line = name[i] == ':' && i + 1 < name.size() &&
                      std::isdigit(static_cast<unsigned char>(name[i + 1])) != 0;
    const bool offset = name.substr(i, 2) == "0x";
    if (!line && !offset) {
      result += name[i++];
      continue;
    }
    i += line ? 1 : 2;
    while (i < name.size() && std::isxdigit(static_cast<unsigned char>(name[i])) != 0) ++i;
  }
  return result;
}

// How much of two places is the same; visits are compared by the caller.
enum class Likeness : std::uint8_t { none, function, object, all };

class PlaceNames {
 public:
  explicit PlaceNames(const RunCapture& capture)
      : names_(capture.modules, capture.threads, {capture.heap, capture.allocation_calls}) {
    names_.learn_threads(capture.trace);
  }

  // Its visit is 0.
  const DecisionPlace& place(const Event& event) {
    const auto [at, fresh] = known_.try_emplace({event.site, event.object, event.kind});
    if (fresh) {
      at->second = {names_.function(event.site), lasting(names_.object(event.object)), event.kind};
    }
    return at->second;
  }
  std::string function(SiteId site) { return names_.function(site); }

 private:
  EventNames names_;
  std::map<std::tuple<SiteId, ObjectId, EventKind>, DecisionPlace> known_;
};

Likeness likeness(const DecisionPlace& a, const DecisionPlace& b) {
  if (a.function.empty() || a.function != b.function) return Likeness::none;
  if (a.kind == EventKind::none || a.object != b.object) return Likeness::function;
  return a.kind == b.kind ? Likeness::all : Likeness::object;
}

Learned learn(Crew& crew, const TransferRequest& request) {
  Learned learned;
  RunInput input = request.input;
  input.replay = nullptr;
  input.want_accesses = true;
  RunPlan& plan = input.plan;
  std::memset(plan.strategy.name, 0, sizeof plan.strategy.name);
  std::memcpy(plan.strategy.name, "random", 6);
  plan.flags &= ~static_cast<std::uint32_t>(kPlanFollow | kPlanFreeAfterDrift | kPlanStalls);
  for (std::uint64_t round = 0; round < kLearningRounds; ++round) {
    input.points = std::make_shared<const std::vector<ObjectId>>(learned.points());
    std::vector<RunInput> inputs;
    for (std::uint64_t i = 0; i < kLearningRuns; ++i) {
      inputs.push_back(input);
      inputs.back().plan.seed = combine(plan.seed, round * kLearningRuns + i);
    }
    Work work;
    work.inputs = inputs;
    work.until = request.until;
    for (const RunSlot& slot : crew.execute(work)) {
      if (!slot.done) return learned;
      learned.merge(slot.record);
    }
  }
  return learned;
}

}  // namespace

std::vector<DecisionPlace> places_of(std::span<const Decision> decisions,
                                     const RunCapture& capture) {
  std::vector<DecisionPlace> places;
  if (decisions.size() > kMostDecisions) return places;
  if (capture.trace.empty() || capture.trace_count > capture.trace.size()) return places;
  PlaceNames names(capture);
  for (const Decision& decision : decisions) {
    const auto next = std::ranges::find_if(capture.trace, [&](const Event& event) {
      return event.thread == decision.from && event.step >= decision.step &&
             event.site == decision.site && event.phase == EventPhase::before;
    });
    DecisionPlace place;
    if (next == capture.trace.end()) {
      place.function = names.function(decision.site);  // it never came to do it
    } else {
      place = names.place(*next);
      place.visit = static_cast<std::uint32_t>(
          std::count_if(capture.trace.begin(), next, [&](const Event& event) {
            return event.thread == decision.from && event.kind == next->kind &&
                   event.phase == EventPhase::before &&
                   likeness(place, names.place(event)) == Likeness::all;
          }));
    }
    places.push_back(std::move(place));
  }
  return places;
}

std::optional<std::uint64_t> find_place(const DecisionPlace& place, ThreadId thread,
                                        const RunCapture& capture) {
  PlaceNames names(capture);
  const Event* best = nullptr;
  Likeness alike = Likeness::none;
  std::uint32_t visit = 0;
  for (const Event& event : capture.trace) {
    if (event.thread != thread || event.phase != EventPhase::before) continue;
    const Likeness here = likeness(place, names.place(event));
    if (here == Likeness::none || here < alike) continue;
    visit = here > alike ? 0 : visit + 1;
    alike = here;
    if (visit <= place.visit) best = &event;  // fewer visits than there were: the last of them
  }
  if (best == nullptr) return std::nullopt;
  // Its thread came to the scheduler there, and was chosen at that step or a later one.
  const Decision* point = nullptr;
  for (const Decision& decision : capture.decisions) {
    if (decision.step > best->step) break;
    if (decision.from == thread && decision.site == best->site) point = &decision;
  }
  if (point == nullptr) return std::nullopt;
  return point->from_step;
}

Transferred transfer(Crew& crew, const TransferRequest& request) {
  Transferred result;
  result.learned = learn(crew, request);
  const Knowledge knowledge = snapshot(result.learned);
  RunInput& input = result.input;
  input = request.input;
  input.points = knowledge.points;
  input.profile = knowledge.profile;
  input.accesses = knowledge.accesses;
  if (knowledge.release_points) input.plan.flags |= kPlanReleasePoints;
  std::vector<Decision> decisions =
      request.input.replay ? *request.input.replay : std::vector<Decision>();
  if (request.places.size() != decisions.size() || decisions.size() > kMostDecisions) return result;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    RunInput trial = input;
    trial.replay = std::make_shared<const std::vector<Decision>>(
        decisions.begin(), decisions.begin() + static_cast<std::ptrdiff_t>(i));
    trial.plan.flags |= kPlanRecordTrace | kPlanRecordPoints | kPlanFollow;
    trial.plan.flags &= ~static_cast<std::uint32_t>(kPlanFreeAfterDrift);
    Work work;
    work.inputs = {&trial, 1};
    work.capture_all = true;
    work.until = request.until;
    const std::vector<RunSlot> slots = crew.execute(work);
    if (!slots[0].done || !slots[0].capture) return result;
    const std::optional<std::uint64_t> count =
        find_place(request.places[i], decisions[i].from, *slots[0].capture);
    if (!count) continue;
    decisions[i].from_step = *count;
    ++result.found;
  }
  input.replay = std::make_shared<const std::vector<Decision>>(std::move(decisions));
  return result;
}

}  // namespace heddle::campaign
