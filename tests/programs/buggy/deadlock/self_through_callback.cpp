// WHAT    A subject calls its listener with its lock held; a listener that was registered in time
//         asks the subject for its value, which takes the same lock.
// EXPECT  failure deadlock   sites Subject::value
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 0
// DECISIVE listen, change|change, value
#include <functional>
#include <mutex>
#include <thread>

namespace {

class Subject {
 public:
  void listen(std::function<void(Subject&)> listener) {
    std::lock_guard guard(mutex_);
    listener_ = std::move(listener);
  }
  void change(int value) {
    std::lock_guard guard(mutex_);
    value_ = value;
    if (listener_) listener_(*this);
  }
  int value() {
    std::lock_guard guard(mutex_);
    return value_;
  }

 private:
  std::mutex mutex_;
  int value_ = 0;
  std::function<void(Subject&)> listener_;
};

}  // namespace

int main() {
  Subject subject;
  int seen = 0;
  std::thread changer([&] { subject.change(1); });
  std::thread listener(
      [&] { subject.listen([&seen](Subject& changed) { seen = changed.value(); }); });
  changer.join();
  listener.join();
}
