// WHAT    Two threads put items at the end of one std::list without a lock; an item is lost. The links
//         are set by libstdc++, not by code of the program.
// EXPECT  failure exit|signal
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE add, add
#include <cstdio>
#include <list>
#include <thread>

namespace {

std::list<int> items;

void add(int item) {
  for (int i = 0; i < 2; ++i) items.push_back(item);
}

}  // namespace

int main() {
  std::thread first(add, 1), second(add, 2);
  first.join();
  second.join();
  int found = 0;
  for (const int item : items) found += item != 0 ? 1 : 0;
  if (found == 4) return 0;
  std::fprintf(stderr, "%d of 4 items found\n", found);
  return 1;
}
