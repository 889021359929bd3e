#include "campaign/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>

#include "base/hash.h"
#include "base/prng.h"
#include "campaign/describe.h"
#include "campaign/plan_maker.h"
#include "campaign/site_names.h"

namespace heddle::campaign {

namespace {

constexpr std::size_t kBatch = 50;
constexpr std::uint64_t kSeed = 0x76657269667921;
constexpr std::int64_t kFarthest = 8;

std::uint64_t hash_of(const Decisions& decisions) {
  std::uint64_t hash = decisions.size();
  for (const Decision& d : decisions) {
    hash = combine(hash, d.from_step);
    hash = combine(hash, std::uint64_t{d.from.value} << 32 | std::uint64_t{d.to.value} << 8 |
                             static_cast<std::uint64_t>(d.kind));
  }
  return hash;
}

// One change, drawn.
Decisions changed(const Decisions& decisions, const std::vector<std::uint64_t>& points,
                  Prng& prng) {
  const auto threads = static_cast<std::uint32_t>(points.size());
  const std::uint32_t way = decisions.empty() ? 3 : static_cast<std::uint32_t>(prng.below(4));
  const std::size_t index = decisions.empty() ? 0 : prng.below(decisions.size());
  Decisions result = decisions;
  if (way == 0) return without_range(decisions, index, index + 1);
  if (way == 1) {
    const auto far = static_cast<std::int64_t>(prng.below(2 * kFarthest)) - kFarthest;
    move_decision(result, index, far >= 0 ? far + 1 : far);
    return result;
  }
  if (threads < 2) return result;
  const ThreadId to{static_cast<std::uint16_t>(prng.below(threads))};
  if (way == 2) return with_target(decisions, index, to);
  Decision added{};
  added.kind = DecisionKind::run;
  added.reason = SwitchReason::preempted;
  added.from = ThreadId{static_cast<std::uint16_t>(prng.below(threads))};
  added.from_step = 1 + prng.below(std::max<std::uint64_t>(1, points[added.from.value]));
  added.to = to;
  return with_decision(decisions, added);
}

class Verifier {
 public:
  Verifier(Crew& crew, const VerifyRequest& request)
      : crew_(crew), request_(request), minimal_(request.minimal) {}

  Verification run() {
    make({&minimal_, 1}, result_.old);
    // On another build the schedule's counts and objects mean other things than they did.
    if (result_.old.failed == 0) carry_over();
    const std::vector<RunInput> old(request_.old_runs, minimal_);
    result_.old = {};
    result_.drifted = false;
    make(old, result_.old);
    std::vector<RunInput> near;
    for (Decisions& decisions : neighbours_of(*minimal_.replay, points_, request_.neighbours)) {
      near.push_back(minimal_);
      near.back().replay = std::make_shared<const Decisions>(std::move(decisions));
    }
    make(near, result_.neighbours);
    run_strategy();
    return std::move(result_);
  }

 private:
  void carry_over() {
    TransferRequest transfer_request;
    transfer_request.input = request_.minimal;
    transfer_request.places = request_.places;
    transfer_request.until = request_.until;
    Transferred transferred = transfer(crew_, transfer_request);
    minimal_ = std::move(transferred.input);
    result_.decisions = request_.minimal.replay ? request_.minimal.replay->size() : 0;
    result_.found = transferred.found;
    learned_ = std::move(transferred.learned);
    carried_over_ = true;
  }

  // The strategy that found it, which goes on learning as it did then.
  void run_strategy() {
    for (std::uint64_t first = 0; first < request_.strategy_runs; first += kBatch) {
      RunInput like = request_.found;
      if (carried_over_) {
        const Knowledge knowledge = snapshot(learned_);
        like.points = knowledge.points;
        like.profile = knowledge.profile;
        like.accesses = knowledge.accesses;
        like.plan.strategy.expected_steps = knowledge.expected_steps;
        like.plan.strategy.expected_threads = knowledge.expected_threads;
      }
      std::vector<RunInput> anew;
      for (std::uint64_t i = first; i < std::min(first + kBatch, request_.strategy_runs); ++i) {
        anew.push_back(like);
        anew.back().plan.seed = combine(request_.found.plan.seed, i);
        anew.back().plan.run = i + 1;
        anew.back().want_accesses = carried_over_;
      }
      make(anew, result_.strategy);
    }
  }

  void make(std::span<const RunInput> inputs, Tally& tally) {
    for (std::size_t begin = 0; begin < inputs.size(); begin += kBatch) {
      Work work;
      work.inputs = inputs.subspan(begin, std::min(kBatch, inputs.size() - begin));
      work.until = request_.until;
      if (request_.tick) work.tick = [&](std::size_t) { request_.tick(); };
      for (RunSlot& slot : crew_.execute(work)) {
        if (!slot.done) {
          result_.cut_short = true;
          return;
        }
        note(slot, tally);
      }
    }
  }

  void note(RunSlot& slot, Tally& tally) {
    ++tally.runs;
    if (carried_over_) learned_.merge(slot.record);
    if (&tally == &result_.old) {
      result_.drifted = result_.drifted || slot.record.outcome.diverged != 0;
      points_.clear();
      for (const ThreadRecord& thread : slot.record.threads) points_.push_back(thread.points);
    }
    if (slot.suspicion.kind == FailureKind::none) return;
    ++tally.failed;
    if (result_.first_failure || !slot.capture) return;
    SiteNames sites(slot.capture->modules);
    StillFailing failing;
    failing.judgement = describe(slot.record, *slot.capture, slot.suspicion, sites);
    failing.record = std::move(slot.record);
    failing.capture = *std::move(slot.capture);
    result_.first_failure = std::move(failing);
  }

  Crew& crew_;
  const VerifyRequest& request_;
  RunInput minimal_;  // as it is followed on this build
  Verification result_;
  Learned learned_;
  bool carried_over_ = false;
  std::vector<std::uint64_t> points_;  // of each thread, in a run of the old schedule
};

}  // namespace

std::vector<Decisions> neighbours_of(const Decisions& decisions,
                                     const std::vector<std::uint64_t>& points_by_thread,
                                     std::size_t most) {
  std::vector<Decisions> all;
  std::set<std::uint64_t> known = {hash_of(decisions)};
  const auto add = [&](Decisions&& candidate) {
    if (all.size() < most && known.insert(hash_of(candidate)).second) {
      all.push_back(std::move(candidate));
    }
  };
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    add(without_range(decisions, i, i + 1));
    for (std::int64_t points = 1; points <= kFarthest; ++points) {
      for (const std::int64_t signed_points : {points, -points}) {
        Decisions moved = decisions;
        if (move_decision(moved, i, signed_points)) add(std::move(moved));
      }
    }
  }
  Prng prng(kSeed);
  // A small program has fewer neighbours than asked for: stop when nothing new comes.
  for (std::size_t fruitless = 0; all.size() < most && fruitless < 1000;) {
    const std::size_t before = all.size();
    Decisions candidate = changed(decisions, points_by_thread, prng);
    if (prng.chance(1, 2)) candidate = changed(candidate, points_by_thread, prng);
    add(std::move(candidate));
    fruitless = all.size() == before ? fruitless + 1 : 0;
  }
  return all;
}

Verification verify(Crew& crew, const VerifyRequest& request) {
  return Verifier(crew, request).run();
}

static std::string old_interleaving_text(const Verification& v) {
  if (!v.tried()) return "old interleaving not tried";
  if (v.old.failed > 0) {
    return fmt::format("old interleaving fails {} of {}", v.old.failed, v.old.runs);
  }
  if (v.found < v.decisions) {
    return fmt::format("old interleaving passes (of its {} decisions {} were found again)",
                       v.decisions, v.found == 0 ? "none" : fmt::format("{}", v.found));
  }
  return v.drifted ? "old interleaving passes (as far as the program still goes that way)"
                   : "old interleaving passes";
}

std::string verification_text(const Verification& v, std::uint64_t first_run) {
  std::string text = old_interleaving_text(v);
  text += fmt::format("; {} of {} neighbours fail", v.neighbours.failed, v.neighbours.runs);
  text += fmt::format("; {} of {} new runs of the strategy that found it fail", v.strategy.failed,
                      v.strategy.runs);
  if (first_run > 0) {
    text += fmt::format("; the failure came once in {} run{} before", first_run,
                        first_run == 1 ? "" : "s");
  }
  if (v.cut_short) text += "; the time ran out: give it more with --for";
  return text;
}

}  // namespace heddle::campaign
