#include "campaign/crew.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace heddle::campaign {

namespace {

constexpr std::chrono::milliseconds kTick{200};
constexpr std::size_t kNone = static_cast<std::size_t>(-1);

using std::chrono::steady_clock;

}  // namespace

Crew::Crew(const Program& program, const CrewSettings& settings, const Oracle& oracle,
           StopSignal& stop)
    : oracle_(oracle), stop_(stop) {
  for (unsigned i = 0; i < settings.jobs; ++i) {
    WorkerSettings worker;
    worker.number = i;
    worker.engine = settings.engine;
    worker.timeout = settings.timeout;
    worker.output_cap = oracle.output_cap();
    worker.scratch = settings.scratch;
    worker.always_one_shot = settings.one_shot;
    workers_.push_back(std::make_unique<Worker>(program, worker, stop));
  }
}

Result<void> Crew::start() {
  for (const std::unique_ptr<Worker>& worker : workers_) {
    if (Result<void> started = worker->start(); !started) return started;
  }
  return {};
}

bool Crew::addresses_vary() const {
  for (const auto& worker : workers_) {
    if (worker->addresses_vary()) return true;
  }
  return false;
}

bool Crew::one_shot() const { return !workers_.empty() && workers_.front()->one_shot(); }

// Waits for the run that the worker has begun.
void Crew::finish_one(Worker& worker, const Work& work, const RunInput& input, RunSlot& slot) {
  slot.record = worker.finish();
  if (slot.record.ended_by == EndedBy::interrupted || slot.record.ended_by == EndedBy::lost) return;
  slot.suspicion = oracle_.judge(slot.record, worker.directory());
  const bool failed = slot.suspicion.kind != FailureKind::none;
  if (failed || work.capture_all) slot.capture = worker.capture();
  slot.done = true;
  if (failed || !work.check_again || !work.check_again(input)) return;
  const RunRecord again = worker.run(input);
  // What the second run alone was told to describe must not be lost.
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(slot.record.coverage.tasks, again.coverage.tasks);
  append(slot.record.coverage.threads, again.coverage.threads);
  append(slot.record.coverage.objects, again.coverage.objects);
  if (slot.record.modules.empty()) slot.record.modules = again.modules;
  if (again.ended_by != EndedBy::itself) return;
  slot.checked = true;
  slot.same = again.outcome.event_hash == slot.record.outcome.event_hash &&
              again.outcome.steps == slot.record.outcome.steps;
}

std::vector<RunSlot> Crew::execute(const Work& work) {
  std::vector<RunSlot> slots(work.inputs.size());
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> ended{0};
  std::atomic<std::size_t> first_failed{work.inputs.size()};
  std::mutex mutex;
  std::condition_variable all_idle;
  std::size_t busy = 0;

  // Begins the next run there is for this worker; where none is left it says so.
  const auto begin_next = [&](Worker& worker) {
    const std::size_t index = next.fetch_add(1);
    const bool any = index < work.inputs.size() && index <= first_failed && !stop_.raised() &&
                     !(work.until && steady_clock::now() >= *work.until);
    if (any) worker.begin(work.inputs[index]);
    return any ? index : kNone;
  };
  const auto labour = [&](Worker& worker) {
    worker.cut_runs_at(work.until);
    std::size_t index = begin_next(worker);
    while (index != kNone) {
      RunSlot& slot = slots[index];
      finish_one(worker, work, work.inputs[index], slot);
      if (work.stop_at_failure && slot.suspicion.kind != FailureKind::none) {
        std::size_t known = first_failed;
        while (index < known && !first_failed.compare_exchange_weak(known, index)) {
        }
      }
      // What is still to be done for this run is done while the next one runs.
      index = begin_next(worker);
      if (work.finished && slot.done) work.finished(slot);
      ++ended;
    }
    const std::lock_guard lock(mutex);
    if (--busy == 0) all_idle.notify_one();
  };

  const std::size_t hands = std::min(work.alone ? 1 : workers_.size(), work.inputs.size());
  busy = hands;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < hands; ++i) threads.emplace_back(labour, std::ref(*workers_[i]));
  {
    std::unique_lock lock(mutex);
    while (!all_idle.wait_for(lock, kTick, [&] { return busy == 0; })) {
      lock.unlock();
      if (work.tick) work.tick(ended);
      lock.lock();
    }
  }
  for (std::thread& thread : threads) thread.join();
  return slots;
}

}  // namespace heddle::campaign
