// Broken atomicity without a race, which fails the program or does not.
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <vector>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

std::mutex mutex;
std::atomic<int> counter{0};
std::atomic<bool> ready{false};
int balance = 100;
int total = 0;
std::vector<int> items;

void fail_unless(bool right) {
  if (!right) std::abort();
}

// CASE   lost_update_through_atomics
// FINDS  avio counter
// RUNS   200
void lost_update_through_atomics() {
  const auto increase = [] { counter.store(counter.load() + 1); };
  both(increase, increase);
  fail_unless(counter == 2);
}

// CASE   right_update_through_atomics
// FINDS  nothing
// RUNS   200
void right_update_through_atomics() {
  const auto increase = [] { ++counter; };
  both(increase, increase);
  fail_unless(counter == 2);
}

bool enough(int amount) {
  const std::lock_guard guard(mutex);
  return balance >= amount;
}
void take(int amount) {
  const std::lock_guard guard(mutex);
  balance -= amount;
}

// CASE   checks_then_withdraws
// FINDS  avio balance
// FINDS  check-then-act balance
// RUNS   200
void checks_then_withdraws() {
  const auto withdraw = [] {
    if (enough(60)) take(60);
  };
  both(withdraw, withdraw);
  fail_unless(balance >= 0);
}

// CASE   checks_and_withdraws_in_one_step
// FINDS  nothing
// RUNS   200
void checks_and_withdraws_in_one_step() {
  const auto withdraw = [] {
    const std::lock_guard guard(mutex);
    if (balance >= 60) balance -= 60;
  };
  both(withdraw, withdraw);
  fail_unless(balance >= 0);
}

// CASE   looks_again_before_it_takes
// FINDS  nothing
// RUNS   200
void looks_again_before_it_takes() {
  items = {1};
  const auto consume = [] {
    {
      const std::lock_guard guard(mutex);
      if (items.empty()) return;
    }
    const std::lock_guard guard(mutex);
    if (!items.empty()) items.pop_back();
  };
  both(consume, consume);
  fail_unless(items.empty());
}

// CASE   polls_a_flag
// FINDS  nothing
// RUNS   200
void polls_a_flag() {
  both([] { ready = true; },
       [] {
         while (!ready) std::this_thread::yield();
       });
}

// CASE   counts_in_many_sections
// FINDS  nothing
// RUNS   200
void counts_in_many_sections() {
  const auto count = [] {
    for (int i = 0; i < 5; ++i) {
      const std::lock_guard guard(mutex);
      ++total;
    }
  };
  both(count, count);
  fail_unless(total == 10);
}

}  // namespace cases

int main(int count, char** words) {
  using namespace cases;
  const Case all[] = {
      {"lost_update_through_atomics", lost_update_through_atomics},
      {"right_update_through_atomics", right_update_through_atomics},
      {"checks_then_withdraws", checks_then_withdraws},
      {"checks_and_withdraws_in_one_step", checks_and_withdraws_in_one_step},
      {"looks_again_before_it_takes", looks_again_before_it_takes},
      {"polls_a_flag", polls_a_flag},
      {"counts_in_many_sections", counts_in_many_sections},
  };
  return run_case(all, count, words);
}
