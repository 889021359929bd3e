// WHAT    A thread looks at a flag 130,000 times, once for each piece of its work, while all others wait for it: longer than two that
//         poll for each other may before that is called a livelock.
// EXPECT  pass
// WITHIN  strategy every runs 2 seed 1
#include <atomic>
#include <thread>

int main() {
  std::atomic<bool> stop{false};
  long sum = 0;
  std::thread worker([&] {
    long own = 0;
    for (int i = 0; i < 130'000 && !stop.load(); ++i) own += i;
    sum = own;
  });
  worker.join();
  return sum == 8'449'935'000 ? 0 : 1;
}
