// The fork server's side of contract/control_block.h.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "run_client.h"

namespace heddle::test {
namespace {

const std::string kPig = GUINEA_PIG;

TEST(ForkServer, GreetsWithItsVersionAndProcess) {
  RunClient client({kPig, "echo"}, ServerMode::fork_server);
  ASSERT_TRUE(client.alive());
  EXPECT_EQ(client.hello().magic, kControlMagic);
  EXPECT_EQ(client.hello().version, kControlVersion);
  EXPECT_EQ(client.hello().pid, client.pid());
  EXPECT_EQ(client.hello().threads_before_main, 0u);
}

TEST(ForkServer, ReplacesTheRunNumberInArguments) {
  RunClient client({kPig, "echo", "{run}", "x{run}y{run}", "{ru"}, ServerMode::fork_server);
  client.control().plan.run = 123456;
  EXPECT_EQ(client.run().output, "123456\nx123456y123456\n{ru\nenviron follows argv: 1\n");
  client.control().plan.run = 2;
  EXPECT_EQ(client.run().output, "2\nx2y2\n{ru\nenviron follows argv: 1\n");
}

TEST(ForkServer, LeavesTheUsersPreloadsAndHidesItsOwn) {
  RunClient client({kPig, "environment"}, ServerMode::fork_server,
                   {"HOME=/home/of/nobody", "TMPDIR=/somewhere/else"});
  const Finished run = client.run();
  EXPECT_EQ(run.output, "LD_PRELOAD=(unset)\nHEDDLE_CONTROL=(unset)\nTMPDIR=" + client.directory() +
                            "\nHOME=/home/of/nobody\n");
}

TEST(ForkServer, GivesEachRunItsInput) {
  RunClient client({kPig, "input"}, ServerMode::fork_server);
  const std::string path = client.directory() + "/input";
  std::ofstream(path) << "one\ntwo\n";
  std::strcpy(client.control().plan.stdin_path, path.c_str());
  EXPECT_EQ(client.run().output, "read one\nread two\n");
  EXPECT_EQ(client.run().output, "read one\nread two\n");
}

TEST(ForkServer, ReportsASignalAsTheWaitStatusHasIt) {
  RunClient client({kPig, "crash"}, ServerMode::fork_server);
  const Finished run = client.run();
  ASSERT_TRUE(WIFSIGNALED(run.wait_status));
  EXPECT_EQ(WTERMSIG(run.wait_status), SIGSEGV);
  EXPECT_EQ(run.outcome.verdict, Verdict::none);
}

TEST(ForkServer, OutlivesARunThatDiesInAStaticConstructor) {
  RunClient client({kPig, "echo"}, ServerMode::fork_server, {"DIE_IN_CONSTRUCTOR=1"});
  ASSERT_TRUE(client.alive());
  for (int i = 0; i < 2; ++i) {
    const Finished run = client.run();
    ASSERT_TRUE(run.started);
    EXPECT_EQ(WTERMSIG(run.wait_status), SIGABRT);
  }
}

TEST(ForkServer, CallsAVoluntaryEndFinished) {
  for (const char* act : {"echo", "exit_in_thread"}) {
    RunClient client({kPig, act}, ServerMode::fork_server);
    EXPECT_EQ(client.run().outcome.verdict, Verdict::finished) << act;
  }
}

// Gone, or waiting for a parent that never asks: in a container the first process may be one.
bool has_ended(pid_t process) {
  if (kill(process, 0) != 0) return true;
  std::ifstream status("/proc/" + std::to_string(process) + "/stat");
  std::string number;
  std::string name;
  char state = 'Z';
  status >> number >> name >> state;
  return state == 'Z' || state == 'X';
}

TEST(ForkServer, PutsTheRunInItsOwnGroupAndEndsItWithTheTool) {
  RunClient client({"/bin/sleep", "30"}, ServerMode::fork_server);
  const pid_t child = client.begin();
  ASSERT_GT(child, 0);
  EXPECT_EQ(getpgid(child), child);
  client.hang_up();
  for (int i = 0; i < 100 && !has_ended(child); ++i) usleep(20'000);
  EXPECT_TRUE(has_ended(child)) << "the run outlived the tool";
}

TEST(ForkServer, EndsADaemonWithItsRun) {
  RunClient client({kPig, "linger"}, ServerMode::fork_server);
  for (int i = 0; i < 3; ++i) {
    const Finished run = client.run();
    EXPECT_EQ(run.wait_status, 0);
    EXPECT_EQ(run.orphans, 1u);
  }
}

TEST(OneShot, QuietensADaemon) {
  RunClient client({kPig, "daemon", "{run}"}, ServerMode::one_shot);
  const Finished run = client.run();
  EXPECT_EQ(run.wait_status, 0);
  for (int i = 0; i < 100 && read_text("1").empty(); ++i) usleep(10'000);
  EXPECT_EQ(read_text("1"), "the daemon was here\n");
  unlink("1");
}

TEST(ForkServer, RefusesToForkAProgramWhoseLibrariesHaveThreads) {
  RunClient client({EARLY_THREAD}, ServerMode::fork_server);
  ASSERT_TRUE(client.alive());
  EXPECT_EQ(client.hello().threads_before_main, 1u);
  EXPECT_FALSE(client.run().started);
}

TEST(OneShot, RunsAProgramWhoseLibrariesHaveThreads) {
  RunClient client({EARLY_THREAD}, ServerMode::one_shot);
  const Finished run = client.run();
  EXPECT_EQ(run.wait_status, 0);
  EXPECT_EQ(run.output, "main\n");
}

TEST(OneShot, RunsMainAtOnce) {
  RunClient client({kPig, "exit_in_thread"}, ServerMode::one_shot);
  const Finished run = client.run();
  EXPECT_EQ(WEXITSTATUS(run.wait_status), 7);
  EXPECT_EQ(run.outcome.verdict, Verdict::finished);
}

TEST(FreeEngine, GivesTheSameNoiseForTheSameSeed) {
  RunClient client({kPig, "spin_counter"}, ServerMode::fork_server);
  RunPlan& plan = client.control().plan;
  plan.noise = yields(200, NoiseWhen::both);
  plan.seed = 99;
  const Finished first = client.run();
  EXPECT_EQ(first.output, "400\n");
  EXPECT_GT(first.outcome.disturbances, 50u);
  EXPECT_GE(first.outcome.events, 800u);
  const Finished second = client.run();
  EXPECT_EQ(second.outcome.disturbances, first.outcome.disturbances);
  EXPECT_EQ(second.outcome.events, first.outcome.events);
  plan.seed = 100;
  EXPECT_NE(client.run().outcome.disturbances, first.outcome.disturbances);
}

TEST(FreeEngine, NamesThreadsByTheirPathWhateverTheOrder) {
  RunClient client({kPig, "nested"}, ServerMode::fork_server);
  const auto paths = [&] {
    const Finished run = client.run();
    std::vector<std::uint64_t> all;
    for (std::uint32_t i = 0; i < run.outcome.thread_count; ++i) {
      all.push_back(client.control().threads[i].path_hash);
    }
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto first = paths();
  EXPECT_EQ(first.size(), 31u);
  EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end());
  EXPECT_EQ(paths(), first);
}

TEST(FreeEngine, ListsTheProgramFirstAndNotItself) {
  RunClient client({kPig, "threads"}, ServerMode::fork_server);
  client.run();
  const ControlBlock& control = client.control();
  ASSERT_GT(control.module_count, 2u);
  EXPECT_EQ(std::string(control.modules[0].path), kPig);
  EXPECT_GT(control.modules[0].build_id_size, 0u);
  for (std::uint32_t i = 0; i < control.module_count; ++i) {
    EXPECT_EQ(std::string(control.modules[i].path).find("libheddle_rt"), std::string::npos);
  }
  const SiteId site = control.threads[1].create_site;
  EXPECT_LT(site_module(site), control.module_count);
  EXPECT_NE(site_offset(site), 0u);
}

}  // namespace
}  // namespace heddle::test
