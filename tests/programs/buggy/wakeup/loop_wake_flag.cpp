// WHAT    An event loop posts "I am asleep" after it found its queue empty, but does not look again
//         before it sleeps; clients only wake a loop that says so.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   lost wake-up
// MIN_PREEMPTIONS 1
// DECISIVE go_to_sleep, post|go_to_sleep, wake_if_asleep|run, post
#include <atomic>
#include <cstdio>
#include <deque>
#include <future>
#include <mutex>
#include <semaphore>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Request {
  int number = 0;
  bool quit = false;
  std::promise<int> reply;
};

class EventLoop {
 public:
  std::future<int> post(int number, bool quit = false) {
    Request request;
    request.number = number;
    request.quit = quit;
    std::future<int> answer = request.reply.get_future();
    {
      std::lock_guard<std::mutex> guard(mutex_);
      queue_.push_back(std::move(request));
    }
    wake_if_asleep();
    return answer;
  }

  void run() {
    for (;;) {
      std::deque<Request> batch = take_all();
      if (batch.empty()) {
        go_to_sleep();
        continue;
      }
      for (Request& request : batch) {
        request.reply.set_value(request.number * request.number);
        if (request.quit) {
          return;
        }
      }
    }
  }

 private:
  std::deque<Request> take_all() {
    std::lock_guard<std::mutex> guard(mutex_);
    return std::exchange(queue_, {});
  }

  // Saves the system call when the loop is busy anyway.
  void wake_if_asleep() {
    if (asleep_.exchange(false)) {
      wakeup_.release();
    }
  }

  void go_to_sleep() {
    asleep_.store(true);
    wakeup_.acquire();
  }

  std::mutex mutex_;
  std::deque<Request> queue_;
  std::atomic<bool> asleep_{false};
  std::binary_semaphore wakeup_{0};
};

}  // namespace

int main() {
  EventLoop loop;
  std::thread loop_thread([&] { loop.run(); });

  std::atomic<int> sum{0};
  std::vector<std::thread> clients;
  for (int client = 1; client <= 3; ++client) {
    clients.emplace_back([&loop, &sum, client] {
      for (int round = 0; round < 2; ++round) {
        sum += loop.post(client + round).get();
      }
    });
  }
  for (std::thread& client : clients) {
    client.join();
  }
  loop.post(0, true).get();
  loop_thread.join();

  std::printf("sum of squares %d\n", sum.load());
  return sum.load() == 1 + 4 + 4 + 9 + 9 + 16 ? 0 : 1;
}
