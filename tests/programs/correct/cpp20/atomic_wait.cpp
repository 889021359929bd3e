// WHAT    atomic::wait returns when the value has changed, for one waiter and for all.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> stage{0};
  std::atomic<int> seen{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&] {
      stage.wait(0);
      assert(stage >= 1);
      if (++seen == 3) {
        stage = 2;
        stage.notify_all();
      }
      for (int now = stage; now != 2; now = stage) stage.wait(now);
    });
  }
  stage = 1;
  stage.notify_all();
  threads.clear();
  assert(stage == 2);

  std::atomic_flag flag;
  std::jthread setter([&] {
    flag.test_and_set();
    flag.notify_one();
  });
  flag.wait(false);
  assert(flag.test());

  std::atomic<long> wide{0};  // not the size of a futex: libstdc++ waits on a proxy
  std::jthread widener([&] {
    wide = 1L << 40;
    wide.notify_one();
  });
  wide.wait(0);
  assert(wide == 1L << 40);
}
