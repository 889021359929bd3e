#include "campaign/minimise.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>
#include <string_view>

#include "campaign/dfs_plan.h"
#include "campaign/minimise_edits.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kBatch = 16;         // candidates handed out together
constexpr std::size_t kFewDecisions = 24;  // for what costs a run per pair, or several per decision
constexpr std::int64_t kMoves[] = {1, 2, 3, -1, -2, 5, 8};

void name_strategy(RunPlan& plan, std::string_view name) {
  std::memset(plan.strategy.name, 0, sizeof plan.strategy.name);
  std::memcpy(plan.strategy.name, name.data(), name.size());
}

class Minimiser {
 public:
  Minimiser(const RunInput& input, std::span<const ObjectId> new_points, const TryAll& try_all,
            const MinimiseLimits& limits)
      : try_all_(try_all), limits_(limits) {
    result_.input = input;
    if (input.points) add_points(*input.points);
    add_points(new_points);
  }

  MinimalSchedule run();

 private:
  using Candidates = std::function<bool(std::size_t, Decisions&)>;  // false: there is no such one

  const Decisions& decisions() const { return *result_.input.replay; }
  static RunInput following(const RunInput& like, Decisions decisions);
  // Takes the first candidate that fails in the same way at less cost; its number, or `none`.
  std::size_t take_first(std::size_t count, const Candidates& candidates);
  bool accept(const RunInput& input, Trial& trial);
  void note(const Trial& trial);
  void add_points(std::span<const ObjectId> points);
  bool begin();
  void drop_stalls();
  void drop_chunks();
  bool drop_chunks_of(std::size_t size);
  bool drop_pairs();
  bool edit_each();
  bool postpone_each();
  bool postpone_for_good(const Decision& away, Decisions& changed);
  std::vector<Decision> switches_of(const Decisions& followed);
  std::vector<Decision> points_of(const Decisions& followed);
  std::vector<Decision> points_of_default();
  bool search_single();
  bool search_below();
  RunInput systematic_input() const;

  static constexpr std::size_t kNone = ~std::size_t{0};

  const TryAll& try_all_;
  MinimiseLimits limits_;
  MinimalSchedule result_;
  std::vector<ObjectId> points_;  // all that is known to race: the systematic search needs it
  std::set<ObjectId> known_points_;
  bool release_points_ = false;
  ThreadId last_thread_{0};
};

void Minimiser::add_points(std::span<const ObjectId> points) {
  for (const ObjectId point : points) {
    if (known_points_.insert(point).second) points_.push_back(point);
  }
}

RunInput Minimiser::following(const RunInput& like, Decisions decisions) {
  RunInput input = like;
  input.replay = std::make_shared<const Decisions>(std::move(decisions));
  input.want_accesses = false;
  name_strategy(input.plan, "replay");
  input.plan.replay_prefix = kUnlimited;
  input.plan.flags &= ~static_cast<std::uint32_t>(kPlanRecordWidths | kPlanFreeAfterDrift);
  input.plan.flags |= kPlanFollow;
  return input;
}

void Minimiser::note(const Trial& trial) {
  add_points(trial.new_points);
  release_points_ = release_points_ || trial.wants_release_points;
}

bool Minimiser::accept(const RunInput& input, Trial& trial) {
  if (!trial.same_failure || !(trial.cost < result_.best)) return false;
  for (const Decision& decision : trial.decisions) {
    last_thread_ = std::max({last_thread_, decision.from, decision.to});
  }
  result_.input = following(input, std::move(trial.decisions));
  result_.best = trial.cost;
  return true;
}

std::size_t Minimiser::take_first(std::size_t count, const Candidates& candidates) {
  std::size_t next = 0;
  while (next < count && !result_.out_of_budget) {
    std::vector<RunInput> inputs;
    std::vector<std::size_t> numbers;
    for (std::size_t i = next; i < count && inputs.size() < kBatch; ++i) {
      Decisions changed;
      next = i + 1;
      if (!candidates(i, changed)) continue;
      inputs.push_back(following(result_.input, std::move(changed)));
      numbers.push_back(i);
    }
    if (inputs.empty()) continue;
    std::size_t from = 0;
    while (from < inputs.size()) {
      const std::span<const RunInput> rest = std::span(inputs).subspan(from);
      std::vector<Trial> trials = try_all_(rest, TrialMode::first_same);
      std::size_t made = 0;
      for (; made < trials.size() && trials[made].done; ++made) {
        if (++result_.runs > limits_.runs) {
          result_.out_of_budget = true;
          return kNone;
        }
        note(trials[made]);
        if (accept(inputs[from + made], trials[made])) return numbers[from + made];
        // What comes after one that fails in the same way may not have been made.
        if (trials[made].same_failure) {
          ++made;
          break;
        }
      }
      if (made == 0) {
        result_.out_of_budget = true;
        return kNone;
      }
      from += made;
    }
  }
  return kNone;
}

// The schedule as given must fail by itself, with nothing but the default between its decisions.
bool Minimiser::begin() {
  if (!result_.input.replay) result_.input.replay = std::make_shared<const Decisions>();
  result_.best = ScheduleCost{kUnlimited, 0, 0, 0, 0};
  const Decisions given = decisions();
  const std::size_t taken = take_first(1, [&](std::size_t, Decisions& changed) {
    changed = given;
    return true;
  });
  result_.reproduced = taken != kNone;
  result_.before = result_.best;
  return result_.reproduced;
}

// Stalls first: all at once, then one at a time.
void Minimiser::drop_stalls() {
  if (result_.best.stalls == 0) return;
  const auto drop_all = [&](std::size_t, Decisions& changed) {
    changed = without_stalls(decisions());
    return true;
  };
  if (take_first(1, drop_all) != kNone) return;
  const auto drop_one = [&](std::size_t i, Decisions& changed) {
    if (decisions()[i].kind != DecisionKind::timeout) return false;
    changed = without_range(decisions(), i, i + 1);
    return true;
  };
  while (result_.best.stalls > 0 && take_first(decisions().size(), drop_one) != kNone) {
  }
}

// Goes round once, leaving out `size` neighbours at a time; true if something could be left out.
bool Minimiser::drop_chunks_of(std::size_t size) {
  bool dropped = false;
  std::size_t start = 0;  // chunk at which the round goes on
  for (;;) {
    const std::size_t length = decisions().size();
    if (length == 0) return dropped;
    const std::size_t chunks = (length + size - 1) / size;
    start %= chunks;
    const std::size_t taken = take_first(chunks, [&](std::size_t i, Decisions& changed) {
      const std::size_t begin = (start + i) % chunks * size;
      changed = without_range(decisions(), begin, std::min(length, begin + size));
      return true;
    });
    if (taken == kNone) return dropped;
    start += taken;
    dropped = true;
  }
}

void Minimiser::drop_chunks() {
  // Most often very little is needed: try with nothing at all before halving.
  for (std::size_t size = std::max<std::size_t>(1, decisions().size());;) {
    drop_chunks_of(size);
    if (size == 1 || decisions().empty() || result_.out_of_budget) return;
    size = std::max<std::size_t>(1, std::min(size, decisions().size()) / 2);
  }
}

bool Minimiser::drop_pairs() {
  const std::size_t length = decisions().size();
  if (length < 2 || length > kFewDecisions) return false;
  const std::size_t taken = take_first(length * length, [&](std::size_t i, Decisions& changed) {
    const std::size_t first = i / length;
    const std::size_t second = i % length;
    if (first >= second) return false;
    changed = without_pair(decisions(), first, second);
    return true;
  });
  return taken != kNone;
}

// Each decision a little later or earlier, or in favour of another thread: a preemption may turn out to be a switch that the
// program makes by itself, or make another one needless.
bool Minimiser::edit_each() {
  const std::size_t length = decisions().size();
  if (length == 0 || length > kFewDecisions) return false;
  const std::size_t threads = last_thread_.value + std::size_t{1};
  const std::size_t ways = std::size(kMoves) + threads;
  const std::size_t taken = take_first(length * ways, [&](std::size_t i, Decisions& changed) {
    const std::size_t index = i / ways;
    const std::size_t way = i % ways;
    if (way < std::size(kMoves)) {
      changed = decisions();
      return move_decision(changed, index, kMoves[way]);
    }
    const ThreadId to{static_cast<std::uint16_t>(way - std::size(kMoves))};
    if (decisions()[index].kind != DecisionKind::run || to == decisions()[index].to) return false;
    changed = with_target(decisions(), index, to);
    return true;
  });
  return taken != kNone;
}

// Whoever is interrupted goes on, and the other takes its turn later, where no preemption may be needed for it.
bool Minimiser::postpone_each() {
  if (result_.best.preemptions < 2 || decisions().size() > kFewDecisions) return false;
  const std::vector<Decision> switches = switches_of(decisions());
  const std::size_t taken = take_first(switches.size(), [&](std::size_t i, Decisions& changed) {
    const auto away = switches.begin() + static_cast<std::ptrdiff_t>(i);
    const auto back = std::ranges::find(away, switches.end(), away->from, &Decision::to);
    if (back == switches.end()) return is_preemption(*away) && postpone_for_good(*away, changed);
    if (back + 1 == switches.end()) return false;
    changed = postponed(decisions(), {*away, *back, *(back + 1)});
    return true;
  });
  return taken != kNone;
}

// The same where whoever is interrupted never goes on: where it would be left otherwise is to be found out.
bool Minimiser::postpone_for_good(const Decision& away, Decisions& changed) {
  changed = without_point(decisions(), away);
  for (Decision& left : switches_of(changed)) {
    if (left.from != away.from || left.from_step <= away.from_step) continue;
    left.to = away.to;
    changed = with_decision(changed, left);
    return true;
  }
  return false;
}

std::vector<Decision> Minimiser::switches_of(const Decisions& followed) {
  std::vector<Decision> switches = points_of(followed);
  std::erase_if(switches, [](const Decision& point) {
    return point.kind != DecisionKind::run || point.from == point.to;
  });
  return switches;
}

std::vector<Decision> Minimiser::points_of(const Decisions& followed) {
  RunInput input = following(result_.input, followed);
  input.plan.flags |= kPlanRecordPoints;
  std::vector<Trial> trials = try_all_({&input, 1}, TrialMode::all);
  ++result_.runs;
  if (trials.empty() || !trials[0].done) return {};
  return std::move(trials[0].points);
}

std::vector<Decision> Minimiser::points_of_default() {
  std::vector<Decision> points = points_of({});
  std::erase_if(points, [](const Decision& point) {
    return point.kind != DecisionKind::run || point.candidates < 2;
  });
  return points;
}

// Every schedule with one departure from the default, as far as the budget goes: delta debugging only leaves out, and the
// one switch that is enough by itself need not be among those that were found. Threads that take part already come first.
bool Minimiser::search_single() {
  const bool stalled = result_.best.stalls > 0;
  if (result_.best.preemptions <= 1 && !(stalled && result_.best.preemptions > 0)) return false;
  const std::vector<Decision> points = points_of_default();
  std::set<ThreadId> taking_part;
  std::set<ThreadId> sleepers;
  for (const Decision& decision : decisions()) {
    taking_part.insert({decision.from, decision.to});
    if (decision.kind == DecisionKind::timeout) sleepers.insert(decision.to);
  }
  std::set<ThreadId> all;
  for (const Decision& point : points) all.insert({point.from, point.to});
  all.insert(taking_part.begin(), taking_part.end());
  const auto try_targets = [&](const std::set<ThreadId>& from, const std::set<ThreadId>& to,
                               DecisionKind kind) {
    std::vector<Decision> single;
    for (const Decision& point : points) {
      if (!from.contains(point.from)) continue;
      for (const ThreadId thread : to) {
        if (thread == point.to && kind == DecisionKind::run) continue;
        single.push_back(point);
        single.back().kind = kind;
        single.back().to = thread;
      }
    }
    const std::size_t count = std::min<std::size_t>(single.size(), limits_.single_runs);
    return take_first(count, [&](std::size_t i, Decisions& changed) {
             changed = {single[i]};
             return true;
           }) != kNone;
  };
  if (stalled) return try_targets(all, sleepers, DecisionKind::timeout);
  return try_targets(taking_part, taking_part, DecisionKind::run) ||
         try_targets(all, all, DecisionKind::run);
}

RunInput Minimiser::systematic_input() const {
  RunInput input = result_.input;
  input.points = std::make_shared<const std::vector<ObjectId>>(points_);
  RunPlan& plan = input.plan;
  name_strategy(plan, "dfs");
  plan.noise = NoiseSettings{};
  plan.flags &= ~static_cast<std::uint32_t>(kPlanStalls | kPlanFollow | kPlanFreeAfterDrift);
  plan.flags |= kPlanRecordWidths;
  if (release_points_) plan.flags |= kPlanReleasePoints;
  return input;
}

// Every schedule with fewer preemptions, the fewest first, as far as the budget goes. The first that fails is minimal.
bool Minimiser::search_below() {
  if (result_.best.preemptions == 0 && result_.best.stalls == 0) return false;
  const RunInput like = systematic_input();
  const std::uint64_t most =
      result_.best.stalls > 0 ? result_.best.preemptions + 1 : result_.best.preemptions - 1;
  DfsPlan plan(static_cast<std::uint32_t>(most));
  const std::uint64_t until = std::min(limits_.runs, result_.runs + limits_.systematic_runs);
  while (result_.runs < until) {
    std::vector<DfsPlan::Prefix> prefixes;
    std::vector<RunInput> inputs;
    while (prefixes.size() < kBatch) {
      std::optional<DfsPlan::Prefix> prefix = plan.next();
      if (!prefix) break;
      inputs.push_back(like);
      inputs.back().replay = std::make_shared<const Decisions>(prefix->choices);
      prefixes.push_back(*std::move(prefix));
    }
    if (inputs.empty()) return false;
    std::vector<Trial> trials = try_all_(inputs, TrialMode::all);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      if (!trials[i].done) {
        result_.out_of_budget = true;
        return false;
      }
      ++result_.runs;
      plan.ran(prefixes[i], trials[i].widths);
      if (!trials[i].same_failure || !(trials[i].cost < result_.best)) continue;
      // It was found by rank; what counts is that it fails when followed.
      RunInput found = following(like, std::move(trials[i].decisions));
      std::vector<Trial> again = try_all_({&found, 1}, TrialMode::all);
      ++result_.runs;
      if (again.size() == 1 && again[0].done && accept(found, again[0])) return true;
    }
  }
  return false;
}

MinimalSchedule Minimiser::run() {
  if (!begin()) return std::move(result_);
  drop_stalls();
  drop_chunks();
  const auto polish = [&] {
    while (!result_.out_of_budget && (drop_pairs() || edit_each() || postpone_each())) {
      drop_chunks();
    }
  };
  polish();
  if (!result_.out_of_budget && search_single()) {
    drop_chunks();
    polish();
  }
  if (!result_.out_of_budget && search_below()) {
    drop_chunks();
    polish();
  }
  return std::move(result_);
}

}  // namespace

MinimalSchedule minimise(const RunInput& input, std::span<const ObjectId> new_points,
                         const TryAll& try_all, const MinimiseLimits& limits) {
  return Minimiser(input, new_points, try_all, limits).run();
}

}  // namespace heddle::campaign
