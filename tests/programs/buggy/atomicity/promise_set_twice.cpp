// WHAT    Two threads answer a promise after each looked whether the other had: the second answer
//         throws, and nobody catches it.
// EXPECT  failure crash   sites answer
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE answer, answer
#include <atomic>
#include <future>
#include <thread>

namespace {

std::promise<int> promise;
std::atomic<bool> answered{false};

void answer(int value) {
  if (answered) return;
  answered = true;
  promise.set_value(value);
}

}  // namespace

int main() {
  auto future = promise.get_future();
  std::thread first(answer, 1), second(answer, 2);
  const int value = future.get();
  first.join();
  second.join();
  return value == 1 || value == 2 ? 0 : 1;
}
