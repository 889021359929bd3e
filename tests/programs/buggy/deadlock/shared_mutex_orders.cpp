// WHAT    Two shared mutexes; each thread reads under one and writes under the other, in opposite
//         orders.
// EXPECT  failure deadlock   sites copy
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE copy, copy
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

struct Table {
  std::shared_mutex mutex;
  int rows = 1;
};

void copy(Table& from, Table& to) {
  std::shared_lock reading(from.mutex);
  std::unique_lock writing(to.mutex);
  to.rows = from.rows;
}

}  // namespace

int main() {
  Table a, b;
  std::thread forth([&] { copy(a, b); });
  std::thread back([&] { copy(b, a); });
  forth.join();
  back.join();
}
