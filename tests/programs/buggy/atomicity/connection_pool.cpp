// WHAT    A client asks the pool whether a connection is idle and then takes one; each call locks,
//         the pair does not, so another client can take the last connection in between.
// EXPECT  failure crash
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 2
// DECISIVE has_idle, take|take, take
#include <atomic>
#include <cassert>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

class ConnectionPool {
 public:
  bool has_idle() {
    std::lock_guard hold(mutex_);
    return !idle_.empty();
  }

  int take() {
    std::lock_guard hold(mutex_);
    assert(!idle_.empty());
    const int connection = idle_.back();
    idle_.pop_back();
    return connection;
  }

  void give_back(int connection) {
    std::lock_guard hold(mutex_);
    idle_.push_back(connection);
  }

 private:
  std::mutex mutex_;
  std::vector<int> idle_{7};
};

static ConnectionPool pool;
static std::atomic<int> pooled{0}, refused{0};

static void query() {
  if (!pool.has_idle()) {
    refused.fetch_add(1);
    return;
  }
  const int connection = pool.take();
  pooled.fetch_add(1);
  pool.give_back(connection);
}

static void client() {
  for (int i = 0; i < 2; i++) query();
}

int main() {
  std::thread one(client), two(client);
  one.join();
  two.join();
  std::printf("%d pooled, %d refused\n", pooled.load(), refused.load());
  return pooled.load() + refused.load() == 4 ? 0 : 1;
}
