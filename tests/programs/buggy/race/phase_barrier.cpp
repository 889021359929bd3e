// WHAT    A hand-made barrier counts arrivals in a plain int with no lock; two arrivals that
//         overlap count as one, nobody is the last, and all wait on the generation for ever.
// EXPECT  failure deadlock   sites arrive_and_wait
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE arrive_and_wait, arrive_and_wait
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

class PhaseBarrier {
 public:
  explicit PhaseBarrier(int parties) : parties_(parties) {}

  void arrive_and_wait() {
    const int generation = generation_.load();
    const int now = arrived_ + 1;
    arrived_ = now;
    if (now == parties_) {
      generation_.store(generation + 1);
      generation_.notify_all();
      return;
    }
    while (generation_.load() == generation) generation_.wait(generation);
  }

 private:
  const int parties_;
  int arrived_ = 0;
  std::atomic<int> generation_{0};
};

constexpr int kSolvers = 3;
static std::atomic<int> part[kSolvers];
static std::atomic<int> wrong{0};

static void solve(PhaseBarrier& barrier, int self) {
  part[self].store(self + 1);
  barrier.arrive_and_wait();
  int sum = 0;
  for (auto& value : part) sum += value.load();
  if (sum != 6) wrong.fetch_add(1);
}

int main() {
  PhaseBarrier barrier(kSolvers);
  std::vector<std::thread> solvers;
  for (int i = 0; i < kSolvers; i++) solvers.emplace_back([&barrier, i] { solve(barrier, i); });
  for (auto& solver : solvers) solver.join();
  std::printf("%d wrong\n", wrong.load());
  return wrong.load();
}
