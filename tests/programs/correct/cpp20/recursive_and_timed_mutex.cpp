// WHAT    Recursive, timed and recursive timed mutexes.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::recursive_mutex recursive;
  int depth = 0;
  auto nest = [&] {
    std::lock_guard outer(recursive);
    std::lock_guard inner(recursive);
    assert(++depth == 1);
    depth--;
  };
  std::jthread first(nest), second(nest);
  first.join();
  second.join();

  std::recursive_timed_mutex timed;
  std::lock_guard held(timed);
  assert(timed.try_lock_for(1ms));
  std::jthread([&] { assert(!timed.try_lock_for(2ms)); }).join();
  timed.unlock();
}
