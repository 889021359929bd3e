// WHAT    Packaged tasks run in another thread, and one's value is ready at its exit.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <future>
#include <thread>

int main() {
  std::packaged_task<int(int, int)> add([](int a, int b) { return a + b; });
  auto sum = add.get_future();
  std::jthread runner(std::move(add), 2, 3);
  assert(sum.get() == 5);

  std::packaged_task<int()> late([] { return 7; });
  auto value = late.get_future();
  std::jthread([](std::packaged_task<int()> task) { task.make_ready_at_thread_exit(); },
               std::move(late))
      .detach();
  assert(value.get() == 7);
}
