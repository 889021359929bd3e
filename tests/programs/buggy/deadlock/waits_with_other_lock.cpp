// WHAT    A thread waits on a condition while it holds a second lock; whoever should signal needs
//         that lock first.
// EXPECT  failure deadlock   sites consume, produce
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 0
// DECISIVE consume, produce
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex journal, state;
std::condition_variable ready_changed;
bool ready = false;
int entries = 0;

void produce() {
  {
    std::lock_guard guard(journal);
    entries++;
  }
  std::lock_guard guard(state);
  ready = true;
  ready_changed.notify_one();
}

void consume() {
  std::lock_guard keep(journal);
  std::unique_lock lock(state);
  ready_changed.wait(lock, [] { return ready; });
  entries++;
}

}  // namespace

int main() {
  std::thread producer(produce), consumer(consume);
  producer.join();
  consumer.join();
}
