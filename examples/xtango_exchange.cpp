// xtango_exchange: the Xtango animation library in rstest (Stoller, 2002).
//
// The paper  A demo creates two circles and calls exchangePosAsync(c1, c2), which slides them in a
//            thread of its own, and then exchangePos(c2, c1) in the calling thread (the order of
//            the arguments changed by the authors: exchanging is symmetric for its user). No
//            deadlock in 200 executions; one in 17 with rstest.
// The bug    Both lock their first argument and then their second: opposite orders in two threads.
// It fails   by a deadlock.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

constexpr int kFrames = 5;
constexpr std::chrono::milliseconds kFrame{1};

struct Circle {
  std::mutex lock;
  int x;
  int y;
};

// Slides both along the line between them, frame by frame; the caller's locks keep other animations
// away.
void slide(Circle& a, Circle& b) {
  const int ax = a.x, ay = a.y, bx = b.x, by = b.y;
  for (int frame = 1; frame <= kFrames; frame++) {
    a.x = ax + (bx - ax) * frame / kFrames;
    a.y = ay + (by - ay) * frame / kFrames;
    b.x = bx + (ax - bx) * frame / kFrames;
    b.y = by + (ay - by) * frame / kFrames;
    std::this_thread::sleep_for(kFrame);
  }
}

void exchange_pos(Circle& a, Circle& b) {
  std::lock_guard hold_a(a.lock);
  std::lock_guard hold_b(b.lock);
  slide(a, b);
}

std::thread exchange_pos_async(Circle& a, Circle& b) {
  return std::thread([&a, &b] { exchange_pos(a, b); });
}

}  // namespace

int main() {
  Circle c1{{}, 0, 0};
  Circle c2{{}, 100, 50};
  std::thread animation = exchange_pos_async(c1, c2);
  exchange_pos(c2, c1);
  animation.join();
  if (c1.x == 0 && c1.y == 0 && c2.x == 100 && c2.y == 50) return 0;
  std::fprintf(stderr, "xtango_exchange: two exchanges did not bring the circles back\n");
  return 1;
}
