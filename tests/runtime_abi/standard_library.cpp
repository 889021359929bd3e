// The C++20 library's synchronisation, which reaches us as pthread calls and as futexes through syscall().
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "check.h"

namespace {

using namespace std::chrono_literals;

struct Slow {
  Slow() {
    std::this_thread::sleep_for(10ms);
    value = 7;
  }
  int value = 0;
};
const Slow& function_local() {
  static Slow slow;
  return slow;
}

void statics_are_made_once() {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([] { CHECK(function_local().value == 7); });
}

void call_once_tries_again_after_an_exception() {
  std::once_flag flag;
  int runs = 0;
  bool caught = false;
  try {
    std::call_once(flag, [&] {
      ++runs;
      throw std::runtime_error("first");
    });
  } catch (const std::runtime_error&) {
    caught = true;
  }
  std::call_once(flag, [&] { ++runs; });
  std::call_once(flag, [&] { ++runs; });
  CHECK(caught && runs == 2);
}

void locks() {
  std::timed_mutex timed;
  timed.lock();
  std::jthread([&] { CHECK(!timed.try_lock_for(10ms)); }).join();
  timed.unlock();
  std::shared_timed_mutex shared;
  shared.lock_shared();
  std::jthread([&] {
    CHECK(!shared.try_lock_for(10ms));
    CHECK(shared.try_lock_shared_for(10ms));
    shared.unlock_shared();
  }).join();
  shared.unlock_shared();
  std::recursive_mutex recursive;
  std::scoped_lock first(recursive);
  std::scoped_lock second(recursive);
}

void waiting() {
  std::counting_semaphore<4> semaphore(0);
  std::latch latch(2);
  std::atomic<int> word = 0;
  std::promise<int> promise;
  std::jthread other([&] {
    semaphore.acquire();
    latch.arrive_and_wait();
    word.wait(0);
    promise.set_value(word.load());
  });
  CHECK(!semaphore.try_acquire_for(5ms));
  semaphore.release();
  latch.arrive_and_wait();
  word = 3;
  word.notify_all();
  CHECK(promise.get_future().get() == 3);
  CHECK(std::async(std::launch::async, [] { return 5; }).get() == 5);
}

void barrier_phases() {
  int phases = 0;
  std::barrier barrier(3, [&]() noexcept { ++phases; });
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 4; ++j) barrier.arrive_and_wait();
    });
  threads.clear();
  CHECK(phases == 4);
}

void condition() {
  std::mutex mutex;
  std::condition_variable_any cond;
  std::condition_variable plain;
  bool go = false;
  std::jthread waiter([&](std::stop_token stop) {
    std::unique_lock lock(mutex);
    CHECK(!cond.wait(lock, stop, [] { return false; }));
    go = true;
    plain.notify_one();
  });
  waiter.request_stop();
  std::unique_lock lock(mutex);
  plain.wait(lock, [&] { return go; });
  CHECK(plain.wait_for(lock, 5ms) == std::cv_status::timeout);
}

}  // namespace

int main() {
  statics_are_made_once();
  call_once_tries_again_after_an_exception();
  locks();
  waiting();
  barrier_phases();
  condition();
  puts("ok");
}
