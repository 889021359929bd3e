// Sleeps that stand where synchronisation should, and sleeps that do not.
#include <unistd.h>

#include <atomic>
#include <mutex>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

int value = 0;
int seen = 0;
std::atomic<bool> ready{false};
std::mutex mutex;

// CASE   sleeps_until_it_must_be_there
// FINDS  race value
// FINDS  sleep-sync value
void sleeps_until_it_must_be_there() {
  both([] { value = 1; },
       [] {
         usleep(300000);
         seen = value;
       });
}

// CASE   sleeps_and_locks
// FINDS  nothing
void sleeps_and_locks() {
  both(
      [] {
        const std::lock_guard guard(mutex);
        value = 1;
      },
      [] {
        usleep(300000);
        const std::lock_guard guard(mutex);
        seen = value;
      });
}

// CASE   sleeps_between_looks
// FINDS  nothing
void sleeps_between_looks() {
  both(
      [] {
        value = 1;
        ready = true;
      },
      [] {
        while (!ready) usleep(1000);
        seen = value;
      });
}

// CASE   sleeps_before_both
// FINDS  nothing
void sleeps_before_both() {
  usleep(1000);
  std::thread([] { value = 1; }).join();
  seen = value;
}

}  // namespace cases

int main(int count, char** words) {
  using namespace cases;
  const Case all[] = {
      {"sleeps_until_it_must_be_there", sleeps_until_it_must_be_there},
      {"sleeps_and_locks", sleeps_and_locks},
      {"sleeps_between_looks", sleeps_between_looks},
      {"sleeps_before_both", sleeps_before_both},
  };
  return run_case(all, count, words);
}
