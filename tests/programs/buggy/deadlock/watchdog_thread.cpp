// WHAT    Two accounts are locked in both orders by two transfers; a thread that watches over them aborts the program when nothing
//         has been done for ten seconds: the signal is its own, the reason the circle of locks.
// EXPECT  failure crash
// WITHIN  strategy pct:3 runs 400 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// DECISIVE transfer, transfer
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct Account {
  std::mutex mutex;
  int balance = 100;
};

std::mutex done_mutex;
std::condition_variable done_changed;
int done = 0;

void transfer(Account& from, Account& to) {
  const std::lock_guard first(from.mutex);
  const std::lock_guard second(to.mutex);
  from.balance -= 10;
  to.balance += 10;
}

void work(Account& from, Account& to) {
  transfer(from, to);
  const std::lock_guard guard(done_mutex);
  ++done;
  done_changed.notify_all();
}

void watch() {
  std::unique_lock guard(done_mutex);
  if (!done_changed.wait_for(guard, std::chrono::seconds(10), [] { return done == 2; }))
    std::abort();
}

}  // namespace

int main() {
  Account savings, current;
  std::thread watchdog(watch);
  std::thread there([&] { work(savings, current); });
  std::thread back([&] { work(current, savings); });
  there.join();
  back.join();
  watchdog.join();
}
