// WHAT    call_once calls once, and nobody returns before that call has.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::once_flag plain;
  int calls = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++) {
      threads.emplace_back([&] {
        std::call_once(plain, [&] { calls++; });
        assert(calls == 1);
      });
    }
  }
  assert(calls == 1);

  std::once_flag other;
  std::atomic<int> attempts{0};
  auto attempt = [&] { std::call_once(other, [&] { attempts++; }); };
  std::jthread first(attempt), second(attempt);
  first.join();
  second.join();
  assert(attempts == 1);
}
