#include "campaign/explain_passing.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>

#include "campaign/explain_align.h"
#include "campaign/minimise_edits.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kBatch = 16;
constexpr std::size_t kMostDecisions = 1'000'000;  // of a batch together
constexpr std::size_t kMostEdited =
    12;  // decisions, the last ones: they are nearest to the failure
constexpr std::int64_t kMoves[] = {1, 2, 3, 4, 6, 8, -1, -2, -3};
// Runs, fewer where each brings many events back.
constexpr std::size_t kMostTried = 240;
constexpr std::size_t kFewestTried = 24;
constexpr std::size_t kMostEvents = 2'000'000;
constexpr std::size_t kMostThreads = 16;  // that a departure put in may go to

class PassingSearch {
 public:
  PassingSearch(Crew& crew, const ExplainRequest& request) : crew_(crew), request_(request) {
    const std::size_t events = std::max<std::size_t>(1, request.capture->trace.size());
    most_ = std::clamp(kMostEvents / events, kFewestTried, kMostTried);
  }

  std::optional<PassingRun> run() {
    try_all(edits());
    if (best_.empty()) try_all(additions());
    return choose();
  }

 private:
  const Decisions& decisions() const { return *request_.input.replay; }

  // How a schedule is changed, and which decision it has otherwise. Made when its turn comes: schedules may be long.
  struct Edit {
    std::size_t changed = 0;
    std::function<std::optional<Decisions>()> make;
  };
  struct Near {
    std::size_t distance = 0;
    PassingRun run;
  };

  // Nearest first: a decision a little later or earlier, then without it.
  std::vector<Edit> edits() const {
    std::vector<Edit> all;
    const std::size_t length = decisions().size();
    const std::size_t first = length > kMostEdited ? length - kMostEdited : 0;
    for (const std::int64_t points : kMoves) {
      for (std::size_t i = length; i-- > first;) {
        all.push_back({i, [this, i, points]() -> std::optional<Decisions> {
                         Decisions moved = decisions();
                         if (!move_decision(moved, i, points)) return std::nullopt;
                         return moved;
                       }});
      }
    }
    for (std::size_t i = length; i-- > first;) {
      all.push_back({i, [this, i] { return without_range(decisions(), i, i + 1); }});
    }
    if (length > 1) all.push_back({length, [] { return Decisions{}; }});
    return all;
  }

  // One more departure, the last points first.
  std::vector<Edit> additions() {
    std::vector<Edit> all;
    RunInput input = request_.input;
    input.plan.flags |= kPlanRecordPoints;
    Work work;
    work.inputs = {&input, 1};
    work.capture_all = true;
    work.until = request_.until;
    const std::vector<RunSlot> slots = crew_.execute(work);
    if (!slots[0].done || !slots[0].capture) return all;
    const std::vector<Decision>& points = slots[0].capture->decisions;
    const std::size_t threads =
        std::min<std::size_t>(kMostThreads, slots[0].record.outcome.thread_count);
    for (std::size_t i = points.size(); i-- > 0 && all.size() < most_;) {
      if (points[i].kind != DecisionKind::run || points[i].candidates < 2) continue;
      for (std::uint16_t to = 0; to < threads; ++to) {
        Decision added = points[i];
        if (added.to.value == to) continue;
        added.to = ThreadId{to};
        all.push_back(
            {decisions().size(), [this, added] { return with_decision(decisions(), added); }});
      }
    }
    return all;
  }

  bool over() const {
    return request_.until && std::chrono::steady_clock::now() >= *request_.until;
  }

  void try_all(const std::vector<Edit>& all) {
    const std::size_t batch =
        std::clamp<std::size_t>(kMostDecisions / (decisions().size() + 1), 1, kBatch);
    std::size_t tried = 0;
    for (std::size_t next = 0; next < all.size() && tried < most_ && !over();) {
      std::vector<RunInput> inputs;
      std::vector<std::size_t> changed;
      for (; next < all.size() && tried < most_ && inputs.size() < batch; ++next) {
        std::optional<Decisions> made = all[next].make();
        if (!made) continue;
        ++tried;
        changed.push_back(all[next].changed);
        inputs.push_back(request_.input);
        inputs.back().replay = std::make_shared<const Decisions>(*std::move(made));
        inputs.back().plan.flags |= kPlanRecordTrace | kPlanStacks;
        if (request_.expected.kind == FailureKind::livelock) {
          inputs.back().plan.flags |= kPlanShortIdle;
        }
      }
      Work work;
      work.inputs = inputs;
      work.capture_all = true;
      work.until = request_.until;
      if (request_.tick) work.tick = [&](std::size_t) { request_.tick(); };
      std::vector<RunSlot> slots = crew_.execute(work);
      for (std::size_t i = 0; i < slots.size(); ++i) {
        if (!slots[i].done) return;
        if (request_.saw) request_.saw(slots[i].record, slots[i].suspicion.kind);
        if (slots[i].suspicion.kind == FailureKind::none) {
          consider(changed[i], inputs[i], slots[i]);
        }
      }
    }
  }

  void consider(std::size_t changed, const RunInput& input, RunSlot& slot) {
    const std::size_t far = distance(request_.capture->trace, slot.capture->trace);
    const auto known = best_.find(changed);
    if (known != best_.end() && far >= known->second.distance) return;
    Near& near = best_[changed];
    near.distance = far;
    near.run.input = input;
    near.run.input.plan.flags &=
        ~static_cast<std::uint32_t>(kPlanRecordTrace | kPlanStacks | kPlanShortIdle);
    near.run.capture = *std::move(slot.capture);
  }

  // The pair is an access of a thread that was interrupted between two to the same object.
  bool is_window(const PassingRun& passing) const {
    const std::optional<FlippedPair>& pair = passing.pair;
    if (!pair || !pair->by_value) return false;
    const std::optional<std::size_t> end = pair->interrupted ? pair->interrupted : pair->resumed;
    const std::vector<Event>& trace = request_.capture->trace;
    return end && trace[*end].object == trace[pair->first].object;
  }

  std::optional<PassingRun> choose() {
    Near* nearest = nullptr;
    for (auto& [changed, near] : best_) {
      near.run.pair = find_flipped(request_.capture->trace, near.run.capture.trace);
      const bool preempted =
          changed < decisions().size() && decisions()[changed].reason == SwitchReason::preempted;
      if (preempted && is_window(near.run)) return std::move(near.run);
      if (nearest == nullptr || near.distance < nearest->distance) nearest = &near;
    }
    if (nearest == nullptr) return std::nullopt;
    return std::move(nearest->run);
  }

  Crew& crew_;
  const ExplainRequest& request_;
  std::size_t most_ = kMostTried;
  std::map<std::size_t, Near> best_;  // by the decision that is otherwise
};

}  // namespace

std::optional<PassingRun> nearest_passing(Crew& crew, const ExplainRequest& request) {
  return PassingSearch(crew, request).run();
}

}  // namespace heddle::campaign
