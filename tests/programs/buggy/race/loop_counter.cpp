// WHAT    Two threads increase a plain counter in a loop, which an optimiser likes to fold into one
//         addition.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE increase, increase
#include <cstdio>
#include <thread>

namespace {

int counter = 0;

void increase() {
  for (int i = 0; i < 5; i++) counter++;
}

}  // namespace

int main() {
  std::thread first(increase), second(increase);
  first.join();
  second.join();
  if (counter == 10) return 0;
  std::fprintf(stderr, "counter is %d\n", counter);
  return 1;
}
