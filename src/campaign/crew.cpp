#include "campaign/crew.h"

#include <sched.h>
#include <signal.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace heddle::campaign {

namespace {

constexpr std::chrono::milliseconds kTick{200};
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::uint64_t kAloneAtFirst = 1;  // runs before a second server is worth its start

using std::chrono::steady_clock;

unsigned processors() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&allowed));
}

// Makes the calling thread this worker's: where it takes turns, the thread stays where its runs are, and is there when one ends.
void join(const Worker& worker) {
  sigset_t broken_pipe;
  sigemptyset(&broken_pipe);
  sigaddset(&broken_pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);  // a server may be gone when it gets its order
  if (!worker.expects_orders() || worker.processor() == 0xffff) return;
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(worker.processor(), &mask);
  sched_setaffinity(0, sizeof mask, &mask);
}

}  // namespace

// What the hands share while one list of plans is worked off.
struct Crew::Shift {
  const Work& work;
  std::vector<RunSlot>& slots;
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> ended{0};
  std::atomic<std::size_t> first_failed;

  Shift(const Work& the_work, std::vector<RunSlot>& the_slots)
      : work(the_work), slots(the_slots), first_failed(the_work.inputs.size()) {}

  // Prepares the next run there is for this worker, or kNone.
  std::size_t prepare_next(Worker& worker, const StopSignal& stop) {
    const std::size_t index = next.fetch_add(1);
    const bool any = index < work.inputs.size() && index <= first_failed && !stop.raised() &&
                     !(work.until && steady_clock::now() >= *work.until);
    if (any) worker.prepare(work.inputs[index]);
    return any ? index : kNone;
  }

  void note_failure(std::size_t index) {
    std::size_t known = first_failed;
    while (index < known && !first_failed.compare_exchange_weak(known, index)) {
    }
  }
};

Crew::Crew(const Program& program, const CrewSettings& settings, const Oracle& oracle,
           StopSignal& stop)
    : program_(program), settings_(settings), oracle_(oracle), stop_(stop) {
  for (unsigned i = 0; i < settings.jobs; ++i) hands_.push_back({make_worker(i), nullptr, {}});
}

std::unique_ptr<Worker> Crew::make_worker(unsigned number) const {
  WorkerSettings worker;
  worker.number = number;
  worker.engine = settings_.engine;
  worker.timeout = settings_.timeout;
  worker.output_cap = oracle_.output_cap();
  worker.scratch = settings_.scratch;
  worker.always_one_shot = settings_.one_shot;
  return std::make_unique<Worker>(program_, worker, stop_);
}

Result<void> Crew::start() {
  for (const Hand& hand : hands_) {
    if (Result<void> started = hand.worker->start(); !started) return started;
  }
  return {};
}

// A second worker for each hand, where all of them have a processor of their own. Free runs want all processors themselves.
// The first runs do not wait for it: it is there when it is there.
void Crew::find_partners() {
  if (recruiting_) {
    for (Hand& hand : hands_) {
      if (!hand.partner && hand.recruit.valid() &&
          hand.recruit.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        hand.partner = hand.recruit.get();
        if (hand.partner) hand.worker->expect_orders();
      }
    }
    return;
  }
  if (runs_ < kAloneAtFirst) return;
  recruiting_ = true;
  if (settings_.engine != EngineKind::controlled || processors() < 2 * size()) return;
  for (unsigned i = 0; i < size(); ++i) {
    if (hands_[i].worker->one_shot()) continue;
    hands_[i].recruit = std::async(std::launch::async, [this, i] {
      std::unique_ptr<Worker> partner = make_worker(size() + i);
      partner->expect_orders();
      if (!partner->start() || partner->one_shot()) partner.reset();
      return partner;
    });
  }
}

bool Crew::addresses_vary() const {
  for (const Hand& hand : hands_) {
    if (hand.worker->addresses_vary()) return true;
  }
  return false;
}

bool Crew::one_shot() const { return !hands_.empty() && hands_.front().worker->one_shot(); }

// What came of the run that has ended on this worker.
void Crew::settle(Worker& worker, const Shift& shift, std::size_t index) {
  RunSlot& slot = shift.slots[index];
  slot.record = worker.take();
  if (slot.record.ended_by == EndedBy::interrupted || slot.record.ended_by == EndedBy::lost) return;
  slot.suspicion = oracle_.judge(slot.record, worker.directory());
  const bool failed = slot.suspicion.kind != FailureKind::none;
  if (failed || shift.work.capture_all) slot.capture = worker.capture();
  slot.done = true;
}

void keep_descriptions(RunRecord& record, const RunRecord& other) {
  const auto append = [](auto& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  append(record.coverage.tasks, other.coverage.tasks);
  append(record.coverage.threads, other.coverage.threads);
  append(record.coverage.objects, other.coverage.objects);
  if (record.modules.empty()) record.modules = other.modules;
}

void Crew::check_again(Worker& worker, const RunInput& input, RunSlot& slot) {
  const RunRecord again = worker.run(input);
  keep_descriptions(slot.record, again);
  if (again.ended_by != EndedBy::itself) return;
  slot.checked = true;
  slot.same = again.outcome.event_hash == slot.record.outcome.event_hash &&
              again.outcome.steps == slot.record.outcome.steps;
}

// On the thread of this worker; another one's may share the baton.
void Crew::labour(Worker& worker, Baton<Worker>& baton, Shift& shift) {
  const Work& work = shift.work;
  const auto begin_next = [&] {
    const std::size_t index = shift.prepare_next(worker, stop_);
    if (index != kNone && baton.take_or_queue(worker)) worker.go();
    return index;
  };
  const auto hand_over = [&] {
    if (Worker* const next = baton.pass()) next->go();
  };
  join(worker);
  worker.cut_runs_at(work.until);
  std::size_t index = begin_next();
  while (index != kNone) {
    RunSlot& slot = shift.slots[index];
    const bool twice = work.check_again && work.check_again(work.inputs[index]);
    worker.await_last_step();
    // This run is taken down and looked at while the next one goes on, unless it is to be made again first.
    if (!twice) hand_over();
    worker.await();
    settle(worker, shift, index);
    const bool failed = slot.suspicion.kind != FailureKind::none;
    if (work.stop_at_failure && failed) shift.note_failure(index);
    if (twice && slot.done && !failed) check_again(worker, work.inputs[index], slot);
    if (twice) hand_over();
    index = begin_next();
    if (work.finished && slot.done) work.finished(slot);
    ++shift.ended;
  }
}

std::vector<RunSlot> Crew::execute(const Work& work) {
  find_partners();
  std::vector<RunSlot> slots(work.inputs.size());
  Shift shift(work, slots);
  std::mutex mutex;
  std::condition_variable all_idle;
  const std::size_t hands = std::min(work.alone ? 1 : hands_.size(), work.inputs.size());
  std::vector<Baton<Worker>> batons(hands);
  std::size_t busy = 0;
  std::vector<std::thread> threads;
  const auto set_to_work = [&](Worker& worker, Baton<Worker>& baton) {
    ++busy;
    threads.emplace_back([&, whose = &worker, turns = &baton] {
      labour(*whose, *turns, shift);
      const std::lock_guard lock(mutex);
      if (--busy == 0) all_idle.notify_one();
    });
  };
  {
    std::unique_lock lock(mutex);
    for (std::size_t i = 0; i < hands; ++i) {
      set_to_work(*hands_[i].worker, batons[i]);
      if (hands_[i].partner) set_to_work(*hands_[i].partner, batons[i]);
    }
    while (!all_idle.wait_for(lock, kTick, [&] { return busy == 0; })) {
      lock.unlock();
      if (work.tick) work.tick(shift.ended);
      lock.lock();
    }
  }
  for (std::thread& thread : threads) thread.join();
  runs_ += shift.ended;
  return slots;
}

}  // namespace heddle::campaign
