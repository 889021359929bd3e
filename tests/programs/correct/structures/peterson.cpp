// WHAT    Peterson's algorithm, sequentially consistent.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<bool> wants[2];
std::atomic<int> turn{0};
int value = 0;

void enter(int self) {
  for (int i = 0; i < 3; i++) {
    wants[self] = true;
    turn = 1 - self;
    while (wants[1 - self] && turn == 1 - self) std::this_thread::yield();
    value++;
    wants[self] = false;
  }
}

}  // namespace

int main() {
  std::thread first(enter, 0), second(enter, 1);
  first.join();
  second.join();
  assert(value == 6);
}
