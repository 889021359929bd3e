// WHAT    Every kind of sleep lasts at least as long as asked, by the clock it names.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace {

template <typename Sleep>
void lasts(std::chrono::nanoseconds least, Sleep sleep) {
  const auto start = std::chrono::steady_clock::now();
  sleep();
  assert(std::chrono::steady_clock::now() - start >= least);
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 1; i <= 3; i++) {
    threads.emplace_back([i] { lasts(i * 1ms, [i] { std::this_thread::sleep_for(i * 1ms); }); });
  }
  lasts(2ms, [] { usleep(2000); });
  lasts(2ms, [] {
    const timespec time{0, 2000000};
    nanosleep(&time, nullptr);
  });
  lasts(2ms, [] {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += 2000000;
    if (time.tv_nsec >= 1000000000) time.tv_sec++, time.tv_nsec -= 1000000000;
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) == 0);
  });
  lasts(2ms, [] { std::this_thread::sleep_until(std::chrono::steady_clock::now() + 2ms); });
  assert(sleep(0) == 0);
  for (auto& thread : threads) thread.join();
}
