#include "campaign/health.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

#include "campaign/site_names.h"

namespace heddle::campaign {

namespace {

// So many runs without a single choice are no coincidence.
constexpr std::uint64_t kEnoughRuns = 20;

// Sites of the executable itself can be named without the run's table of modules: it is always the first.
std::vector<ModuleRecord> executable_alone(const Program& program) {
  ModuleRecord module{};
  std::memcpy(module.path, program.executable.data(),
              std::min(program.executable.size(), sizeof module.path - 1));
  return {module};
}

}  // namespace

void Health::see(const RunRecord& record) {
  if (!record.took_control) return;
  const RunOutcome& outcome = record.outcome;
  ++runs_;
  became_another_ += outcome.became_another != 0 && outcome.thread_count < 2 ? 1 : 0;
  threads_in_children_ += outcome.threads_in_children;
  if (outcome.thread_count < 2) return;
  ++with_threads_;
  if (outcome.decision_count > 0) ++with_choice_;
  for (const SleepPlace& place : outcome.sleeps) {
    const bool known = std::ranges::find(sleeps_, place.site, &SleepPlace::site) != sleeps_.end();
    if (place.site.value == 0 || site_module(place.site) != 0 || known) continue;
    if (sleeps_.size() < kMostSleeps) sleeps_.push_back(place);
  }
  if (outcome.verdict != Verdict::finished) return;
  for (std::size_t i = 1; i < record.threads.size(); ++i) {
    // A library's workers are none of the test's business.
    if (record.threads[i].points != 0 || site_module(record.threads[i].create_site) != 0) continue;
    if (never_begun_++ == 0) never_begun_routine_ = record.threads[i].start_routine;
    break;
  }
}

std::vector<std::string> Health::sentences(const Program& program) const {
  std::vector<std::string> said;
  const std::vector<ModuleRecord> modules = executable_alone(program);
  SiteNames names(modules);
  if (threads_in_children_ > 0) {
    said.push_back(fmt::format(
        "in {} of {} runs a child process has threads that are not under control, because its "
        "parent goes on beside it; let the parent wait for it (waitpid), or test in one process "
        "(Check: CK_FORK=no).",
        threads_in_children_, runs_));
  } else if (runs_ >= kEnoughRuns && with_threads_ == 0 && !always_became_another()) {
    said.emplace_back(
        "the program never has a second thread, so there is nothing to interleave; test the part "
        "that runs in parallel.");
  } else if (runs_ >= kEnoughRuns && with_threads_ > 0 && with_choice_ == 0) {
    said.emplace_back(
        "never can two threads run at the same time: each waits for the one before, so no schedule "
        "but one is tested; start them all before waiting for any.");
  }
  if (never_begun_ > 0) {
    const std::string routine = names.function(never_begun_routine_);
    said.push_back(fmt::format(
        "in {} of {} runs the test ends before a thread{} has begun; join it, or what it does is "
        "not tested.",
        never_begun_, runs_, routine.empty() ? "" : fmt::format(" ({})", routine)));
  }
  if (!sleeps_.empty()) {
    std::string places;
    for (const SleepPlace& place : sleeps_) {
      places +=
          fmt::format("{}{}", places.empty() ? "" : ", ", names.own(place.site, place.calls.sites));
    }
    said.push_back(fmt::format(
        "it sleeps while other threads run ({}); a sleep orders nothing: if it stands for waiting, "
        "wait for the thing itself.",
        places));
  }
  return said;
}

}  // namespace heddle::campaign
