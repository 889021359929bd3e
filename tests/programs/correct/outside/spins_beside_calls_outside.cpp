// WHAT    A thread is in a call that is made outside control for 50 ms, or waits for a command that long: another polls the clock
//         meanwhile, a third sleeps, both with a limit of seconds, and neither comes to it before the call returns.
// EXPECT  pass
// WITHIN  strategy every runs 2 seed 1
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto kLimit = 5s;

std::atomic<bool> returned;

void wait_with_mask() {
  int ends[2];
  assert(pipe(ends) == 0);
  sigset_t none;
  sigemptyset(&none);
  pollfd reading{ends[0], POLLIN, 0};
  const timespec length{0, 50'000'000};
  assert(ppoll(&reading, 1, &length, &none) == 0);
  close(ends[0]);
  close(ends[1]);
}

void run_command() { assert(std::system("sleep 0.05") == 0); }

void read_command() {
  FILE* const output = popen("sleep 0.05", "r");
  assert(output != nullptr && pclose(output) == 0);
}

void poll_clock() {
  const auto limit = Clock::now() + kLimit;
  while (!returned) {
    if (Clock::now() > limit) std::_Exit(2);
    std::this_thread::yield();
  }
}

void spin() {
  while (!returned) continue;
}

void sleep_to_limit() {
  for (auto slept = 0ms; slept < kLimit && !returned; slept += 20ms) {
    std::this_thread::sleep_for(20ms);
  }
  if (!returned) std::_Exit(3);
}

void run(void (*call)(), void (*other)()) {
  returned = false;
  std::thread caller([call] {
    call();
    returned = true;
  });
  std::thread sleeper(sleep_to_limit);
  other();
  caller.join();
  sleeper.join();
}

}  // namespace

int main() {
  run(wait_with_mask, poll_clock);
  run(wait_with_mask, spin);
  run(run_command, poll_clock);
  run(read_command, spin);
}
