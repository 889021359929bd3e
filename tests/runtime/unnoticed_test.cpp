// A program that is not under test runs as if we were not there; one that is prints and ends as it would alone.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cctype>
#include <cstring>

#include "run_client.h"

namespace heddle::test {
namespace {

using Command = std::vector<std::string>;

class Unnoticed : public ::testing::TestWithParam<Command> {};

std::string name_of(const ::testing::TestParamInfo<Command>& info) {
  std::string name;
  for (const auto& word : info.param) {
    if (word.find('/') != std::string::npos) continue;
    for (char c : word) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  }
  return (name.empty() ? "program" : name.substr(0, 40)) + "_" + std::to_string(info.index);
}

TEST_P(Unnoticed, WithoutAPlan) {
  const Natively alone = run_natively(GetParam(), false);
  const Natively with_us = run_natively(GetParam(), true);
  EXPECT_EQ(with_us.output, alone.output);
  EXPECT_EQ(with_us.wait_status, alone.wait_status);
}

class UnnoticedUnderTest : public ::testing::TestWithParam<Command> {};

TEST_P(UnnoticedUnderTest, InTheFreeEngineWithNoise) {
  const Natively alone = run_natively(GetParam(), false);
  RunClient client(GetParam(), ServerMode::fork_server);
  ASSERT_TRUE(client.alive());
  client.control().plan.noise = yields(100, NoiseWhen::before);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    client.control().plan.seed = seed;
    client.control().plan.run = seed;
    const Finished run = client.run();
    ASSERT_TRUE(run.started);
    EXPECT_EQ(run.output + run.errors, alone.output) << "seed " << seed;
    EXPECT_EQ(run.wait_status, alone.wait_status) << "seed " << seed;
    EXPECT_STREQ(run.outcome.internal_error, "");
  }
  EXPECT_EQ(client.hang_up(), 0);
}

TEST_P(UnnoticedUnderTest, InTheControlledEnginePinnedToOneCpu) {
  const Natively alone = run_natively(GetParam(), false);
  RunClient client(GetParam(), ServerMode::fork_server);
  ASSERT_TRUE(client.alive());
  RunPlan& plan = client.control().plan;
  plan.engine = EngineKind::controlled;
  plan.cpu = 0;
  plan.max_stall_ns = 0;
  plan.start_time_ns = 1'700'000'000ull * 1'000'000'000;
  std::strcpy(plan.strategy.name, "random");
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    plan.seed = seed;
    plan.run = seed;
    const Finished run = client.run();
    ASSERT_TRUE(run.started);
    EXPECT_EQ(run.output + run.errors, alone.output) << "seed " << seed;
    EXPECT_EQ(run.wait_status, alone.wait_status) << "seed " << seed;
    EXPECT_STREQ(run.outcome.internal_error, "");
  }
  EXPECT_EQ(client.hang_up(), 0);
}

TEST_P(UnnoticedUnderTest, WithoutAPlan) {
  const Natively alone = run_natively(GetParam(), false);
  const Natively with_us = run_natively(GetParam(), true);
  EXPECT_EQ(with_us.output, alone.output);
  EXPECT_EQ(with_us.wait_status, alone.wait_status);
}

Command pig(std::initializer_list<std::string> rest) {
  Command command = {GUINEA_PIG};
  command.insert(command.end(), rest);
  return command;
}

INSTANTIATE_TEST_SUITE_P(
    RealPrograms, Unnoticed,
    ::testing::Values(Command{"ls", "-l", "/usr/bin"},
                      Command{"bash", "-c", "echo a | tr a b; (exit 3)"},
                      Command{"bash", "-c",
                              "for i in 1 2 3; do sleep 0.01 & done; wait; kill -9 $$"},
                      Command{"sh", "-c", "seq 1 200000 | xz -T2 | xz -d | md5sum"},
                      Command{"python3", "-c",
                              "import subprocess, threading\n"
                              "print(subprocess.run(['echo', 'x'], capture_output=True))\n"
                              "t = threading.Thread(target=print, args=(1,)); t.start(); t.join()"},
                      Command{"env", "-i", "/bin/echo", "hello"}, Command{"false"},
                      Command{"perl", "-e", "print join(',', sort keys %INC), $0"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(GuineaPig, UnnoticedUnderTest,
                         ::testing::Values(pig({"echo", "a", "b c", ""}), pig({"descriptors"}),
                                           pig({"signals"}), pig({"threads", "8"}),
                                           pig({"threads", "500"}), pig({"nested"}),
                                           pig({"exit_in_thread"}), pig({"fork"}),
                                           pig({"fork_exec"}), pig({"vfork"}), pig({"spawn"}),
                                           pig({"exec"}), pig({"crash"}), pig({"exceptions"}),
                                           pig({"cancel"}), pig({"cpus"}), pig({"heap"}),
                                           pig({"dlopen"}), pig({"death_test"}), pig({"input"}),
                                           pig({"spin_counter"}), Command{OWN_MALLOC}),
                         name_of);

}  // namespace
}  // namespace heddle::test
