// WHAT    A counting semaphore lets in two at a time; two binary ones make a ping-pong.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <chrono>
#include <semaphore>
#include <thread>
#include <vector>

int main() {
  std::counting_semaphore<2> room(2);
  std::atomic<int> inside{0};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; i++) {
    threads.emplace_back([&] {
      // Where several acquire(), libstdc++ 12 can let one sleep for ever, and heddle finds that: it waits for a change from a count
      // that it read before it last tried, and release() wakes nobody unless the count was 0.
      while (!room.try_acquire()) std::this_thread::yield();
      assert(++inside <= 2);
      --inside;
      room.release();
    });
  }
  threads.clear();
  assert(room.try_acquire() && room.try_acquire() && !room.try_acquire());
  assert(!room.try_acquire_for(std::chrono::milliseconds(1)));

  std::binary_semaphore ping(1), pong(0);
  int ball = 0;
  std::jthread other([&] {
    for (int i = 0; i < 3; i++) {
      pong.acquire();
      assert(ball == 2 * i + 1);
      ball++;
      ping.release();
    }
  });
  for (int i = 0; i < 3; i++) {
    ping.acquire();
    assert(ball == 2 * i);
    ball++;
    pong.release();
  }
  other.join();
  assert(ball == 6);
}
