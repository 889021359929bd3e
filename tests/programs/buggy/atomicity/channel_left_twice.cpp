// WHAT    Two senders leave a channel and the last one closes it, but a load and a store count them:
//         if both are counted once, nobody closes it, and the receiver waits, as it should.
// EXPECT  failure deadlock   sites Channel::receive
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE Channel::leave, Channel::leave
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Channel {
 public:
  void send(int value) {
    std::lock_guard guard(mutex_);
    queue_.push_back(value);
    changed_.notify_one();
  }
  int receive() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !queue_.empty() || closed_; });
    if (queue_.empty()) return -1;
    const int value = queue_.back();
    queue_.pop_back();
    return value;
  }
  void leave() {
    if (senders_.load() == 1) {
      std::lock_guard guard(mutex_);
      closed_ = true;
      changed_.notify_all();
    }
    senders_.store(senders_.load() - 1);
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> queue_;
  bool closed_ = false;
  std::atomic<int> senders_{2};
};

}  // namespace

int main() {
  Channel channel;
  int received = 0;
  std::thread receiver([&] {
    while (channel.receive() != -1) received++;
  });
  std::thread first([&] {
    channel.send(1);
    channel.leave();
  });
  std::thread second([&] {
    channel.send(2);
    channel.leave();
  });
  first.join();
  second.join();
  receiver.join();
  assert(received == 2);
}
