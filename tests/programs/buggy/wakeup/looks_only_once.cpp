// WHAT    A consumer waits without a loop around the wait. Every signal comes when there is something,
//         so that it goes well until a wait ends without one.
// EXPECT  failure crash   sites consume
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// OPTIONS --spurious
// CLASS   order violation
// MIN_PREEMPTIONS 0
// DECISIVE consume, produce
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
std::condition_variable changed;
bool ready = false;

void consume() {
  std::unique_lock guard(lock);
  if (!ready) changed.wait(guard);  // the bug: POSIX lets it return at any time
  assert(ready);
}

void produce() {
  std::lock_guard guard(lock);
  ready = true;
  changed.notify_one();
}

}  // namespace

int main() {
  std::thread consumer(consume), producer(produce);
  consumer.join();
  producer.join();
}
