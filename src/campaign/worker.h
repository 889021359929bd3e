// One worker: a copy of the program under test that runs again and again, and the tool's side of its control block.
//
// Runs are forked from a server before main (contract/control_block.h). Where that is not safe or not possible (threads
// before main, a server that died) each run is a start of its own. Either way a run has a
// deadline, a limit on its output, and nothing of it is alive when run() returns.
//
// Used by one thread at a time, but for go().
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>

#include "campaign/control_map.h"
#include "campaign/launch.h"
#include "campaign/program.h"
#include "campaign/run_directory.h"
#include "campaign/run_record.h"
#include "campaign/stop_signal.h"
#include "host/result.h"

namespace heddle::campaign {

struct WorkerSettings {
  unsigned number = 0;
  EngineKind engine = EngineKind::controlled;
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  std::uint64_t output_cap = std::uint64_t{64} << 20;
  std::string scratch;  // directory that holds the run directories
  bool always_one_shot = false;
};

// Puts a plan and what goes with it into the control block, and clears what the last run left there.
void write_run_input(ControlBlock& control, const RunInput& input);

class Worker {
 public:
  Worker(const Program& program, const WorkerSettings& settings, StopSignal& stop);
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Makes its directory and starts the server. The error is the sentence for a program that cannot be started.
  Result<void> start();

  // The steps of a run, in this order: all that can be done ahead, the word to go (which returns while the run goes on), the wait
  // until another one may begin (mostly before the kernel has taken all of this one down), the wait for its end, and what came
  // of it. The word may come from another thread while its own waits already.
  void prepare(const RunInput& input);
  void go();
  void await_last_step();
  void await();
  RunRecord take();
  RunRecord run(const RunInput& input) {
    prepare(input);
    go();
    await_last_step();
    await();
    return take();
  }

  // From now on runs are ordered as soon as another worker's has ended.
  void expect_orders() { closely_ = true; }
  bool expects_orders() const { return closely_; }

  // A run still going then is ended and does not count.
  void cut_runs_at(std::optional<std::chrono::steady_clock::time_point> when) { cut_ = when; }

  // Of the run just made; valid until the next.
  RunCapture capture();
  ControlBlock& control() { return *map_.block(); }
  RunDirectory& directory() { return directory_; }

  bool one_shot() const { return one_shot_; }
  std::uint16_t processor() const { return cpu_; }         // of its runs; 0xffff: any
  bool addresses_vary() const { return addresses_vary_; }  // ASLR could not be switched off

 private:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr Time kNotBegun{};
  struct Wait {
    int descriptor = -1;  // readable when the run has ended
    Time deadline;
    bool until_last_step = false;
  };
  enum class Waited { ended, last_step, deadline, interrupted };

  void write_input(const RunInput& input);
  void read_outcome(RunRecord& record);
  void read_coverage(RunCoverage& coverage);
  bool order_run();
  bool sleep_until_woken();
  bool is_ended();
  bool finish_forked(RunRecord& record);
  void run_directly(RunRecord& record);
  Waited wait_for_end(const Wait& wait, const RunInput& input, RunRecord& record);
  Result<void> start_server();
  void end_server();
  Result<void> no_hello(int wait_status);

  const Program& program_;
  WorkerSettings settings_;
  StopSignal& stop_;
  ControlMap map_;
  RunDirectory directory_;
  Launched server_;
  RunRecord current_;                   // of the run that was prepared
  Waited waited_ = Waited::ended;       // for that run, so far
  bool ordered_ = false;                // from the server
  std::atomic<Time> begun_{kNotBegun};  // what go() did is seen by who sees this
  bool closely_ = false;                // expect_orders()
  std::optional<std::chrono::steady_clock::time_point> cut_;
  std::uint64_t threads_told_ = 0;  // of the coverage area: what records have had already
  std::uint64_t objects_told_ = 0;
  std::uint16_t cpu_ = 0xffff;  // its runs are pinned here
  bool one_shot_ = false;
  bool addresses_vary_ = false;
};

}  // namespace heddle::campaign
