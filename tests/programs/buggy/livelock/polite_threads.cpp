// WHAT    Two polite threads: each says that it wants to enter and waits, yielding, until the other
//         no longer wants to.
// EXPECT  failure livelock   sites enter
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 5/5
// CLASS   livelock
// MIN_PREEMPTIONS 1
// DECISIVE enter, enter
#include <atomic>
#include <thread>

namespace {

std::atomic<bool> wants[2];
int entered = 0;

void enter(int self) {
  wants[self] = true;
  while (wants[1 - self]) std::this_thread::yield();
  entered++;
  wants[self] = false;
}

}  // namespace

int main() {
  std::thread first(enter, 0), second(enter, 1);
  first.join();
  second.join();
  return entered == 2 ? 0 : 1;
}
