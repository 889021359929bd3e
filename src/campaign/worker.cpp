#include "campaign/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/core.h>

#include <algorithm>

#include "campaign/process_tree.h"
#include "campaign/run_clock.h"
#include "campaign/server_pipe.h"
#include "campaign/watchdog.h"
#include "host/files.h"
#include "host/text.h"

namespace heddle::campaign {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kTick{25};         // between looks at output, watchdog and stop
constexpr milliseconds kAfterKill{3000};  // a killed run's end must be told by then

void copy_path(char (&to)[512], const std::string& from) {
  const std::size_t length = std::min(from.size(), sizeof to - 1);
  std::memcpy(to, from.data(), length);
  std::memset(to + length, 0, sizeof to - length);
}

// Spread over the CPUs we may use, and differently for each tool process, so that several tools share the machine.
std::uint16_t choose_cpu(unsigned worker) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 0xffff;
  int wanted = static_cast<int>((static_cast<unsigned>(getpid()) + worker) %
                                static_cast<unsigned>(CPU_COUNT(&allowed)));
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &allowed) && wanted-- == 0) return static_cast<std::uint16_t>(cpu);
  }
  return 0xffff;
}

double seconds_since(steady_clock::time_point start) {
  return std::chrono::duration<double>(steady_clock::now() - start).count();
}

}  // namespace

Worker::Worker(const Program& program, const WorkerSettings& settings, StopSignal& stop)
    : program_(program), settings_(settings), stop_(stop) {
  one_shot_ = settings.always_one_shot || program.preload.empty();
  cpu_ = choose_cpu(settings.number);
}

Worker::~Worker() { end_server(); }

Result<void> Worker::start() {
  if (map_.block() == nullptr) return system_error("create the control block", map_.error());
  Result<void> made =
      RunDirectory::create(directory_, settings_.scratch, settings_.number, settings_.output_cap);
  if (!made) return made;
  return one_shot_ ? Result<void>{} : start_server();
}

Result<void> Worker::start_server() {
  LaunchRequest request;
  request.program = &program_;
  request.arguments = program_.arguments;
  request.engine = settings_.engine;
  request.mode = ServerMode::fork_server;
  request.control_fd = map_.descriptor();
  request.temporary_directory = directory_.temporary();
  request.stdin_path = "/dev/null";
  request.stdout_path = directory_.server_log();
  request.stderr_path = directory_.server_log();
  unlink(directory_.server_log().c_str());
  // Constructors of libraries run before the first plan is there: their randomness and clocks are those of every run.
  map_.block()->plan.engine = settings_.engine;
  map_.block()->plan.start_time_ns = kVirtualStart;
  server_ = launch(request);
  if (server_.pid < 0) {
    Error error = system_error(
        fmt::format("start '{}' ({})", program_.arguments[0], server_.failed_call), server_.error);
    error.exit_status = kExitBadUsage;
    return error;
  }
  Hello hello{};
  const PipeRead got = read_fully(server_.status_fd, &hello, sizeof hello,
                                  {steady_clock::now() + settings_.timeout, stop_.descriptor()});
  if (got == PipeRead::interrupted) {
    end_server();
    return {};
  }
  if (got != PipeRead::complete) {
    kill_group(server_.pid);
    int status = 0;
    waitpid(server_.pid, &status, 0);
    server_.pid = -1;
    end_server();
    return got == PipeRead::end_of_file ? no_hello(status) : no_hello(0);
  }
  if (hello.magic != kControlMagic || hello.version != kControlVersion) {
    end_server();
    return Error{
        fmt::format("'{}' answers with another version of heddle's runtime; rebuild or reinstall "
                    "heddle so that the tool and lib/heddle belong together.",
                    program_.arguments[0]),
        kExitBadUsage};
  }
  addresses_vary_ = settings_.engine == EngineKind::controlled && hello.aslr_off == 0;
  if (hello.threads_before_main > 0) {
    end_server();
    one_shot_ = true;
  }
  return {};
}

// The program ended before the runtime could speak: the loader refused it, or a library's constructor died.
Result<void> Worker::no_hello(int wait_status) {
  if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 127) {
    const Result<std::string> log = read_file_beginning(directory_.server_log(), 4096);
    std::string_view said = log ? std::string_view(*log) : std::string_view();
    said = trim(said.substr(0, said.find('\n')));
    return Error{
        fmt::format("'{}' cannot be started: {}. Install what is missing, or set "
                    "LD_LIBRARY_PATH so that it starts by itself first.",
                    program_.arguments[0], said.empty() ? "it ends at once with status 127" : said),
        kExitBadUsage};
  }
  // Anything else is a run like any other: let it be judged as one.
  one_shot_ = true;
  return {};
}

void Worker::end_server() {
  if (server_.command_fd >= 0) close(server_.command_fd);
  if (server_.status_fd >= 0) close(server_.status_fd);
  if (server_.pid > 0) {
    kill_children(server_.pid);
    kill_group(server_.pid);
    kill(server_.pid, SIGKILL);
    waitpid(server_.pid, nullptr, 0);
    kill_orphans(directory_.path());
  }
  server_ = Launched{};
}

void write_run_input(ControlBlock& control, const RunInput& input) {
  control.plan = input.plan;
  RunPlan& plan = control.plan;
  const auto place = [](const auto& list, auto& area, std::size_t capacity) -> std::size_t {
    if (!list) return 0;
    const std::size_t count = std::min(list->size(), capacity);
    if (count > 0) std::memcpy(area, list->data(), count * sizeof(area[0]));
    return count;
  };
  plan.strategy.profile_count =
      static_cast<std::uint32_t>(place(input.profile, control.profile, kMaxThreads));
  plan.strategy.access_count =
      static_cast<std::uint32_t>(place(input.accesses, control.known_accesses, kAccessCapacity));
  control.wants_accesses = input.want_accesses ? 1 : 0;
  plan.lesson_count = place(input.lessons, control.known_lessons, kLessonCapacity);
  plan.replay_count = place(input.replay, control.replay, kDecisionCapacity);
  plan.point_count = place(input.points, control.points, kPointCapacity);
  std::memset(&control.outcome, 0, sizeof control.outcome);
  control.trace_count = 0;
  control.access_count = 0;
  control.finding_count = 0;
  ++control.coverage.epoch;
  control.coverage.covered_count = 0;
  control.coverage.described_count = 0;
  control.coverage.dropped = 0;
  control.findings_dropped = 0;
  control.detection_dropped = 0;
  control.allocation_calls_count = 0;
  control.lock_edge_count = 0;
  control.creation_count = 0;
  control.lock_edges_dropped = 0;
  control.lesson_count = 0;
  control.heap_record_count = 0;
  control.progress = 0;
  control.running_tid = 0;
  control.run_process = 0;
  control.process_in_control = 0;
  control.ended = 0;
}

void Worker::write_input(const RunInput& input) {
  write_run_input(*map_.block(), input);
  RunPlan& plan = map_.block()->plan;
  if (plan.engine == EngineKind::controlled) plan.cpu = cpu_;
  copy_path(plan.stdin_path, program_.stdin_path);
  copy_path(plan.stdout_path, directory_.out().path());
  copy_path(plan.stderr_path, directory_.err().path());
  copy_path(plan.temporary_directory, directory_.temporary());
}

void Worker::prepare(const RunInput& input) {
  if (!one_shot_ && server_.pid < 0 && !stop_.raised()) {
    if (!start_server()) one_shot_ = true;
  }
  current_ = RunRecord{};
  current_.input = input;
  directory_.clear();
  write_input(input);
  current_.input.plan = map_.block()->plan;
  begun_.store(kNotBegun, std::memory_order_relaxed);
}

void Worker::go() {
  const Time now = steady_clock::now();
  ordered_ = !one_shot_ && !stop_.raised() && order_run();
  begun_.store(now, std::memory_order_release);
  begun_.notify_one();  // nobody is woken who polls
}

// By the run's last step, or by its end; or because a tick has gone by. True: by the last step.
bool Worker::sleep_until_woken() {
  const timespec tick{0, std::chrono::nanoseconds(kTick).count()};
  const bool woken =
      syscall(SYS_futex, &map_.block()->ended, FUTEX_WAIT, 0, &tick, nullptr, 0) == 0;
  return woken && !is_ended();
}

bool Worker::is_ended() { return __atomic_load_n(&map_.block()->ended, __ATOMIC_ACQUIRE) != 0; }

// Until go() has been called, too. To be woken for that would interrupt the run that begins: we are woken by its end, and look now and
// then in case it takes long.
void Worker::await_last_step() {
  bool last_step = false;
  while (begun_.load(std::memory_order_acquire) == kNotBegun) {
    const bool will_end = !one_shot_ && server_.pid > 0 && !stop_.raised();
    if (will_end) last_step = sleep_until_woken();
    if (!will_end || last_step) begun_.wait(kNotBegun, std::memory_order_acquire);
  }
  waited_ = Waited::last_step;
  if (!ordered_ || last_step) return;
  waited_ = wait_for_end({server_.status_fd, begun_.load() + settings_.timeout, true},
                         current_.input, current_);
}

void Worker::await() {
  if (!ordered_ && stop_.raised()) {
    current_.ended_by = EndedBy::interrupted;
    return;
  }
  if (!ordered_ || !finish_forked(current_)) {
    end_server();
    one_shot_ = true;
    if (current_.ended_by == EndedBy::itself) run_directly(current_);
  }
  current_.seconds = seconds_since(begun_);
}

RunRecord Worker::take() {
  RunRecord record = std::move(current_);
  if (record.ended_by == EndedBy::interrupted) return record;
  directory_.out().keep_within_cap();
  directory_.err().keep_within_cap();
  record.output_cut = directory_.out().was_cut() || directory_.err().was_cut();
  read_outcome(record);
  return record;
}

Worker::Waited Worker::wait_for_end(const Wait& wait, const RunInput& input, RunRecord& record) {
  RunClock clock(wait.deadline - settings_.timeout);
  const bool sees_accesses = program_.shows_memory && input.plan.level != Level::sync;
  Watchdog watchdog(*map_.block(), wait.deadline - settings_.timeout,
                    Watchdog::patience_with_work(sees_accesses, settings_.timeout));
  const bool watched =
      input.plan.engine == EngineKind::controlled && (input.plan.flags & kPlanNoWatchdog) == 0;
  for (;;) {
    const bool sleeps = wait.until_last_step && !is_ended();
    if (sleeps && sleep_until_woken()) return Waited::last_step;
    pollfd waits[2] = {{wait.descriptor, POLLIN, 0}, {stop_.descriptor(), POLLIN, 0}};
    const int ready = poll(waits, 2, sleeps && !is_ended() ? 0 : static_cast<int>(kTick.count()));
    if (ready > 0 && waits[0].revents != 0) return Waited::ended;
    if (ready > 0 && waits[1].revents != 0) return Waited::interrupted;
    const auto now = steady_clock::now();
    const auto counted = clock.count(now, [&] { return look_at(*map_.block()); });
    if (counted >= wait.deadline) return Waited::deadline;
    if (cut_ && now >= *cut_) {
      // That the very first run hangs is worth telling; one that works has only had too little time.
      const bool hangs = input.plan.run == 1 && clock.rests();
      return hangs ? Waited::deadline : Waited::interrupted;
    }
    directory_.out().keep_within_cap();
    directory_.err().keep_within_cap();
    if (watched && watchdog.look(counted)) ++record.watchdog_requests;
  }
}

// False: the server is gone.
bool Worker::order_run() {
  if (write(server_.command_fd, &kCommandRun, 1) != 1) return false;
  // After the byte: who sees the count finds the byte there.
  if (closely_) __atomic_fetch_add(&map_.block()->orders, 1, __ATOMIC_RELEASE);
  return true;
}

// False as for order_run().
bool Worker::finish_forked(RunRecord& record) {
  ServerReply reply{};
  Waited waited = waited_;
  if (waited == Waited::last_step) {
    waited =
        wait_for_end({server_.status_fd, begun_.load() + settings_.timeout}, record.input, record);
  }
  const pid_t process = __atomic_load_n(&map_.block()->run_process, __ATOMIC_ACQUIRE);
  record.took_control = process > 0;
  if (waited == Waited::deadline) record.ended_by = EndedBy::deadline;
  if (waited == Waited::interrupted) record.ended_by = EndedBy::interrupted;
  if (waited != Waited::ended && process > 0) kill_group(process);
  const PipeRead ended =
      read_fully(server_.status_fd, &reply, sizeof reply, {steady_clock::now() + kAfterKill, -1});
  if (ended != PipeRead::complete || reply.kind != ServerReply::Kind::ended || process <= 0) {
    // It could not fork, or it went with the run (a program may signal its parent): what the run would have come to is
    // unknown.
    if (process > 0) kill_group(process);
    return false;
  }
  record.wait_status = reply.value;
  record.stragglers = reply.orphans;
  return true;
}

void Worker::run_directly(RunRecord& record) {
  directory_.clear();
  write_input(record.input);
  LaunchRequest request;
  request.program = &program_;
  request.arguments = arguments_of_run(program_, record.input.plan.run);
  request.engine = settings_.engine;
  request.mode = ServerMode::one_shot;
  request.control_fd = map_.descriptor();
  request.temporary_directory = directory_.temporary();
  request.stdin_path = program_.stdin_path;
  request.stdout_path = directory_.out().path();
  request.stderr_path = directory_.err().path();
  const auto start = steady_clock::now();
  Launched started = launch(request);
  if (started.pid < 0) {
    record.ended_by = EndedBy::lost;
    return;
  }
  __atomic_store_n(&map_.block()->run_process, started.pid, __ATOMIC_RELEASE);
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, started.pid, 0));
  const Waited waited = wait_for_end({handle, start + settings_.timeout}, record.input, record);
  if (waited == Waited::deadline) record.ended_by = EndedBy::deadline;
  if (waited == Waited::interrupted) record.ended_by = EndedBy::interrupted;
  // The group first, while its leader's id cannot have been given to anybody else.
  kill_group(started.pid);
  waitpid(started.pid, &record.wait_status, 0);
  if (handle >= 0) close(handle);
  record.stragglers = static_cast<std::uint32_t>(kill_orphans(directory_.path()));
  Hello hello{};
  fcntl(started.status_fd, F_SETFL, O_NONBLOCK);
  if (read(started.status_fd, &hello, sizeof hello) == sizeof hello) {
    record.took_control = hello.magic == kControlMagic && hello.version == kControlVersion;
    addresses_vary_ = settings_.engine == EngineKind::controlled && hello.aslr_off == 0;
  }
  close(started.command_fd);
  close(started.status_fd);
}

}  // namespace heddle::campaign
