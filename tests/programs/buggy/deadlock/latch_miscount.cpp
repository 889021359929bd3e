// WHAT    A latch counts the workers that succeed; one that loses a race for a job counts down
//         nothing.
// EXPECT  failure deadlock   sites main
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity|deadlock
// MIN_PREEMPTIONS 1
// DECISIVE work, work
#include <atomic>
#include <latch>
#include <thread>

namespace {

constexpr int kJobs = 2;
std::latch done(kJobs);
std::atomic<int> next_job{0};

void work() {
  int job = next_job;
  if (job >= kJobs) return;
  if (!next_job.compare_exchange_strong(job, job + 1))
    return;  // the bug: it should try the next one
  done.count_down();
}

}  // namespace

int main() {
  std::thread first(work), second(work);
  done.wait();
  first.join();
  second.join();
}
