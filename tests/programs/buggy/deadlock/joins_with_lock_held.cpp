// WHAT    stop() joins the worker while it holds the lock that the worker takes once more if it has
//         seen no stop yet.
// EXPECT  failure deadlock   sites Service::stop, Service::serve
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE Service::stop, Service::serve
#include <atomic>
#include <mutex>
#include <thread>

namespace {

class Service {
 public:
  void start() {
    worker_ = std::thread([this] { serve(); });
  }
  void stop() {
    std::lock_guard guard(mutex_);
    stopping_ = true;
    worker_.join();
  }

 private:
  void serve() {
    if (stopping_) return;
    std::lock_guard guard(mutex_);
    served_++;
  }

  std::mutex mutex_;
  std::atomic<bool> stopping_{false};
  int served_ = 0;
  std::thread worker_;
};

}  // namespace

int main() {
  Service service;
  service.start();
  service.stop();
}
