// Every synchronisation primitive of C++20, each used by several threads and each checked for its result.
// Correct under every schedule: it prints one line and exits 0, whatever compiler, optimisation or noise.
#include <array>
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <numeric>
#include <semaphore>
#include <shared_mutex>
#include <sstream>
#include <stop_token>
#include <string>
#include <syncstream>
#include <thread>
#include <vector>

namespace {

using namespace std::chrono_literals;

constexpr int kThreads = 3;
constexpr int kRounds = 4;

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "primitives: %s\n", what);
  std::exit(1);
}

template <class Body>
void in_threads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

// Any lockable: with it, a plain counter counts.
template <class Mutex>
void counts_under(Mutex& mutex, const char* what) {
  int counter = 0;
  in_threads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      std::lock_guard guard(mutex);
      ++counter;
    }
  });
  require(counter == kThreads * kRounds, what);
}

void mutexes() {
  std::mutex plain;
  counts_under(plain, "std::mutex");
  std::recursive_mutex recursive;
  recursive.lock();
  require(recursive.try_lock(), "a recursive mutex can be taken twice");
  recursive.unlock();
  recursive.unlock();
  counts_under(recursive, "std::recursive_mutex");
  std::timed_mutex timed;
  counts_under(timed, "std::timed_mutex");
  std::recursive_timed_mutex recursive_timed;
  counts_under(recursive_timed, "std::recursive_timed_mutex");

  timed.lock();
  std::thread([&] {
    require(!timed.try_lock_for(1ms), "try_lock_for on a held mutex times out");
    require(!timed.try_lock_until(std::chrono::steady_clock::now() + 1ms), "try_lock_until too");
    require(!timed.try_lock_until(std::chrono::system_clock::now() + 1ms), "on either clock");
  }).join();
  timed.unlock();
}

void several_locks() {
  std::mutex a, b;
  int counter = 0;
  in_threads([&](int i) {
    for (int round = 0; round < kRounds; ++round) {
      if (i == 0) {
        std::scoped_lock both(b, a);
        ++counter;
      } else {
        std::unique_lock first(a, std::defer_lock), second(b, std::defer_lock);
        std::lock(first, second);
        ++counter;
      }
    }
  });
  require(counter == kThreads * kRounds, "std::lock and std::scoped_lock");
  require(std::try_lock(a, b) == -1, "std::try_lock takes both");
  a.unlock();
  b.unlock();
}

void shared_mutexes() {
  std::shared_mutex plain;
  counts_under(plain, "std::shared_mutex");
  std::shared_timed_mutex timed;
  counts_under(timed, "std::shared_timed_mutex");

  int left = 0, right = 0;
  in_threads([&](int i) {
    for (int round = 0; round < kRounds; ++round) {
      if (i == 0) {
        std::unique_lock writer(timed);
        ++left;
        ++right;
      } else {
        std::shared_lock reader(timed);
        require(left == right, "a reader sees no half-done write");
      }
    }
  });
  std::shared_lock reader(timed);
  std::thread([&] {
    require(timed.try_lock_shared_for(10s), "readers share");
    timed.unlock_shared();
    require(!timed.try_lock_for(1ms), "a writer waits for readers");
  }).join();
}

void conditions() {
  std::mutex mutex;
  std::condition_variable changed;
  int turn = 0;
  in_threads([&](int i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return turn == i; });
    ++turn;
    changed.notify_all();
  });
  require(turn == kThreads, "std::condition_variable passes the turn");

  std::unique_lock lock(mutex);
  require(!changed.wait_for(lock, 1ms, [] { return false; }), "wait_for times out");
  require(changed.wait_until(lock, std::chrono::system_clock::now() + 1ms, [] { return true; }),
          "wait_until looks first");

  bool done = false;
  std::thread last([&] {
    std::unique_lock inner(mutex);
    done = true;
    std::notify_all_at_thread_exit(changed, std::move(inner));
  });
  changed.wait(lock, [&] { return done; });
  lock.unlock();
  last.join();
}

void stopping() {
  std::shared_mutex mutex;
  std::condition_variable_any never;
  std::atomic<int> called{0};
  {
    std::jthread waits([&](std::stop_token token) {
      std::stop_callback callback(token, [&] {
        ++called;
        called.notify_one();
      });
      std::shared_lock lock(mutex);
      require(!never.wait(lock, token, [] { return false; }), "a stop ends the wait");
      // A stop is visible before its callbacks run, and a callback that is gone by then is not called.
      called.wait(0);
    });
    std::jthread polls([](std::stop_token token) {
      while (!token.stop_requested()) std::this_thread::yield();
    });
  }
  require(called == 1, "std::stop_callback is called once");
}

void counting() {
  std::counting_semaphore<kThreads> slots(2);
  std::binary_semaphore one(1);
  std::atomic<int> inside{0};
  int counter = 0;
  in_threads([&](int) {
    slots.acquire();
    require(++inside <= 2, "std::counting_semaphore lets two in");
    one.acquire();
    ++counter;
    one.release();
    --inside;
    slots.release();
  });
  require(counter == kThreads, "std::binary_semaphore");
  one.acquire();
  require(!one.try_acquire() && !one.try_acquire_for(1ms), "an empty semaphore");

  std::latch started(kThreads);
  std::array<int, kThreads> phase{};
  int phases = 0;
  std::barrier step(kThreads, [&]() noexcept { ++phases; });
  in_threads([&](int i) {
    started.arrive_and_wait();
    for (int round = 0; round < kRounds; ++round) {
      phase[i] = round;
      step.arrive_and_wait();
      require(phase[(i + 1) % kThreads] == round, "std::barrier keeps phases apart");
      step.arrive_and_wait();
    }
    if (i == 0) step.arrive_and_drop();
  });
  require(started.try_wait() && phases >= 2 * kRounds, "std::latch and std::barrier");
}

void futures() {
  std::promise<int> promise;
  std::shared_future<int> shared = promise.get_future().share();
  std::packaged_task<int(int)> task([&](int add) { return shared.get() + add; });
  std::future<int> from_task = task.get_future();
  std::thread runs(std::move(task), 1);
  std::future<int> from_async = std::async(std::launch::async, [shared] { return shared.get(); });
  std::future<int> later = std::async(std::launch::deferred, [] { return 5; });
  require(shared.wait_for(1ms) == std::future_status::timeout, "nothing is promised yet");
  std::thread keeps([&] { promise.set_value_at_thread_exit(40); });
  require(from_task.get() + from_async.get() + later.get() == 86, "futures carry values");
  runs.join();
  keeps.join();

  std::promise<void> broken;
  std::future<void> waits = broken.get_future();
  broken.set_exception(std::make_exception_ptr(std::string("broken")));
  try {
    waits.get();
    require(false, "an exception crosses threads");
  } catch (const std::string& what) {
    require(what == "broken", "and keeps its value");
  }
}

struct alignas(16) Pair {
  long a, b;
  bool operator==(const Pair&) const = default;
};

template <class Number>
void adds_up(const char* what) {
  std::atomic<Number> sum{0};
  in_threads([&](int) {
    for (int i = 0; i < kRounds; ++i) {
      sum.fetch_add(1, std::memory_order_relaxed);
      Number seen = sum.load(std::memory_order_acquire);
      while (!sum.compare_exchange_weak(seen, static_cast<Number>(seen + 1))) {
      }
    }
  });
  require(sum == kThreads * kRounds * 2, what);
}

void atomics() {
  adds_up<signed char>("atomic<char>");
  adds_up<short>("atomic<short>");
  adds_up<int>("atomic<int>");
  adds_up<long>("atomic<long>");
  adds_up<double>("atomic<double>");

  long plain = 0;
  in_threads([&](int) { std::atomic_ref(plain).fetch_or(7); });
  require(plain == 7, "std::atomic_ref");

  // 16 bytes go through libatomic or cmpxchg16b, as the compiler likes.
  static std::atomic<Pair> pair{Pair{0, 0}};
  in_threads([&](int) {
    Pair seen = pair.load();
    while (!pair.compare_exchange_strong(seen, Pair{seen.a + 1, seen.b - 1})) {
    }
  });
  require(pair.load() == Pair{kThreads, -kThreads}, "a 16-byte atomic");

  std::atomic<std::shared_ptr<int>> pointer{std::make_shared<int>(0)};
  in_threads([&](int i) { pointer.exchange(std::make_shared<int>(i + 1)); });
  require(*pointer.load() > 0, "atomic<shared_ptr>");

  int data = 0;
  std::atomic<bool> ready{false};
  std::thread writes([&] {
    data = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(true, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  require(data == 42, "fences publish");
  writes.join();
}

void waiting_on_atomics() {
  std::atomic<int> turn{0};
  std::atomic_flag finished;
  std::thread watches([&] { finished.wait(false); });
  in_threads([&](int i) {
    for (int seen = turn; seen != i; seen = turn) turn.wait(seen);
    ++turn;
    turn.notify_all();
  });
  require(!finished.test_and_set(), "atomic_flag");
  finished.notify_one();
  watches.join();
  require(turn == kThreads, "atomic::wait");
}

int& guarded_static() {
  static int made = [] {
    static int times = 0;
    return ++times;
  }();
  return made;
}

thread_local int own = 0;

void once_and_per_thread() {
  std::once_flag flag;
  int calls = 0;
  std::atomic<int> sum{0};
  in_threads([&](int i) {
    std::call_once(flag, [&] { ++calls; });
    own += i + 1;
    sum += own;
    require(guarded_static() == 1, "a function-local static is made once");
    std::this_thread::sleep_for(100us);
    std::this_thread::sleep_until(std::chrono::steady_clock::now() + 100us);
  });
  require(calls == 1, "std::call_once");
  require(sum == kThreads * (kThreads + 1) / 2 && own == 0, "thread_local");
}

void streams() {
  std::ostringstream text;
  in_threads([&](int) { std::osyncstream(text) << "whole\n"; });
  require(text.str() == "whole\nwhole\nwhole\n", "std::osyncstream");
}

}  // namespace

int main() {
  require(std::atexit([] { std::fflush(stdout); }) == 0, "std::atexit");
  mutexes();
  several_locks();
  shared_mutexes();
  conditions();
  stopping();
  counting();
  futures();
  atomics();
  waiting_on_atomics();
  once_and_per_thread();
  streams();
  std::puts("primitives: all well");
}
