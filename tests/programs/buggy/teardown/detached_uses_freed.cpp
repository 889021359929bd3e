// WHAT    A detached thread goes on using a session that its owner deletes.
// EXPECT  failure crash   sites Session::ping
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   teardown
// MIN_PREEMPTIONS 0
// DECISIVE Session::ping, Session::close
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

namespace {

// Stands for freed memory: the storage stays, so that the failure is the same everywhere.
class Session {
 public:
  void ping() { assert(!closed_); }
  void close() { closed_ = true; }

 private:
  std::atomic<bool> closed_{false};
};

Session session;
std::atomic<bool> pinged{false};

}  // namespace

int main() {
  std::thread([] {
    session.ping();
    pinged = true;
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  session.close();
  while (!pinged) std::this_thread::yield();
}
