// WHAT    main() sleeps 100 ms for the worker to end, and takes the log away.
// EXPECT  failure crash   sites Log::write
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   sleep-as-synchronisation|teardown
// MIN_PREEMPTIONS 0
// DECISIVE Log::write, Log::close
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

namespace {

class Log {
 public:
  void write() {
    assert(open_);
    lines_++;
  }
  void close() { open_ = false; }

 private:
  std::atomic<bool> open_{true};
  std::atomic<int> lines_{0};
};

}  // namespace

int main() {
  Log log;
  std::thread worker([&log] { log.write(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  log.close();
  worker.join();
}
