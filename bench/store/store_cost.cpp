// What a large store costs: fills one with runs, opens it again, adds some more.
//
//   store_cost FILE [RUNS]
#include <fmt/format.h>

#include <time.h>

#include <chrono>
#include <cstdlib>

#include "campaign/store/store.h"

using heddle::campaign::RunRow;
using heddle::campaign::Store;

namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::micro>(Clock::now() - since).count();
}

// Of this thread alone: what a busy machine does not change.
double processor_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

RunRow row(std::uint64_t run) {
  RunRow row;
  row.run = run;
  row.seed = run * 0x9e3779b97f4a7c15ULL;
  row.strategy = run % 3 == 0 ? "pos" : "surw:1";
  row.schedule_hash = row.seed ^ 1;
  row.event_hash = row.seed ^ 2;
  row.steps = 100;
  return row;
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t runs = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1'000'000;
  const heddle::campaign::CampaignRow campaign{"/bin/prog", "id", "{}", "controlled", "pos", 1};
  {
    auto store = *Store::open(arguments[1]);
    if (!store->begin_campaign(campaign)) return 1;
    auto transaction = heddle::campaign::Transaction::begin(store->database());
    for (std::uint64_t run = 1; run <= runs; ++run) {
      const RunRow r = row(run);
      auto added = store->database().run(
          "INSERT INTO runs VALUES(1,?,?,1,NULL,NULL,0,100,1,?,?,0.001)",
          {heddle::campaign::number(r.run), heddle::campaign::number(r.seed),
           heddle::campaign::number(r.schedule_hash), heddle::campaign::number(r.event_hash)});
      if (!added) return 1;
    }
    if (!transaction->commit()) return 1;
    if (!store->end_round({runs, {}, {}, {}, "learned"})) return 1;
  }
  const auto opening = Clock::now();
  auto store = *Store::open(arguments[1]);
  const double open_us = microseconds(opening);
  auto taken = store->take_up(campaign, Store::SeedWanted::any);
  std::uint64_t sum = 0;
  if (!store->each_schedule_hash(runs, [&](std::uint64_t hash) { sum += hash; })) return 1;
  const double resume_us = microseconds(opening);
  constexpr std::uint64_t kAdded = 2000;
  const std::string pending(1500, 'x');  // about what a small program leaves
  const auto adding = Clock::now();
  const double before = processor_microseconds();
  for (std::uint64_t run = runs + 1; run <= runs + kAdded; ++run) {
    if (!store->add_run(row(run), pending)) return 1;
  }
  fmt::print(
      "{} runs: open {:.1f} ms, open and resume {:.0f} ms, add a run {:.1f} us, of which processor "
      "time {:.1f} us ({})\n",
      runs, open_us / 1e3, resume_us / 1e3, microseconds(adding) / kAdded,
      (processor_microseconds() - before) / kAdded, sum & 1);
  return 0;
}
