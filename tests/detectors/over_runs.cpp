// Lock orders of which a run shows one part: over_runs_test.py says which of them are a circle. The first argument names the
// case, the second is the run's number.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace cases {

std::mutex a;
std::mutex b;
std::mutex gate;
std::shared_mutex read_gate;
std::shared_mutex r;
std::shared_mutex s;
std::condition_variable condition;
int racing = 0;

template <class First, class Second>
void in_order(First& first, Second& second) {
  const std::lock_guard outer(first);
  const std::lock_guard inner(second);
}

// Each does its part in every other run.
template <class Even, class Odd>
void one_of_two(long run, Even even, Odd odd) {
  std::thread first([&] {
    if (run % 2 == 0) even();
  });
  std::thread second([&] {
    if (run % 2 == 1) odd();
  });
  first.join();
  second.join();
}

void opposite(long run) {
  one_of_two(
      run, [] { in_order(a, b); }, [] { in_order(b, a); });
}

void same(long run) {
  one_of_two(
      run, [] { in_order(a, b); }, [] { in_order(a, b); });
}

void gated(long run) {
  one_of_two(
      run,
      [] {
        const std::lock_guard lock(gate);
        in_order(a, b);
      },
      [] {
        const std::lock_guard lock(gate);
        in_order(b, a);
      });
}

void behind_readers(long run) {
  one_of_two(
      run,
      [] {
        const std::shared_lock lock(read_gate);
        in_order(a, b);
      },
      [] {
        const std::shared_lock lock(read_gate);
        in_order(b, a);
      });
}

void readers(long run) {
  const auto read_both = [](std::shared_mutex& first, std::shared_mutex& second) {
    const std::shared_lock outer(first);
    const std::shared_lock inner(second);
  };
  one_of_two(
      run, [&] { read_both(r, s); }, [&] { read_both(s, r); });
}

void joined(long run) {
  std::thread([&] {
    if (run % 2 == 0) in_order(a, b);
  }).join();
  std::thread([&] {
    if (run % 2 == 1) in_order(b, a);
  }).join();
}

void one_thread(long run) {
  std::thread([&] {
    if (run % 2 == 0) in_order(a, b);
    if (run % 2 == 1) in_order(b, a);
  }).join();
}

void on_the_heap(long run) {
  const auto left = std::make_unique<std::mutex>();
  const auto right = std::make_unique<std::mutex>();
  one_of_two(
      run, [&] { in_order(*left, *right); }, [&] { in_order(*right, *left); });
}

// Who waits keeps `a`; who would wake it needs `a` first.
void waits_with_a_lock(long run) {
  one_of_two(
      run,
      [] {
        const std::lock_guard outer(a);
        std::unique_lock lock(b);
        condition.wait_for(lock, std::chrono::milliseconds(5));
      },
      [] {
        const std::lock_guard outer(a);
        condition.notify_one();
      });
}

// Whoever comes first has done it for both. Nothing keeps them apart, and still each run shows one of the orders unless both
// look before either is done.
void first_come(long run) {
  static std::mutex state;
  static bool done = false;
  const auto work = [](std::mutex& first, std::mutex& second) {
    {
      const std::lock_guard lock(state);
      if (done) return;
    }
    in_order(first, second);
    const std::lock_guard lock(state);
    done = true;
  };
  std::thread one([&] {
    if (run % 2 == 1) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    work(a, b);
  });
  std::thread two([&] { work(b, a); });
  one.join();
  two.join();
}

void race(long) {
  std::thread other([] { racing = 1; });
  racing = 2;
  other.join();
}

}  // namespace cases

int main(int count, char** words) {
  using namespace cases;
  const struct {
    const char* name;
    void (*run)(long);
  } all[] = {
      {"opposite", opposite},
      {"same", same},
      {"gated", gated},
      {"behind_readers", behind_readers},
      {"readers", readers},
      {"joined", joined},
      {"one_thread", one_thread},
      {"on_the_heap", on_the_heap},
      {"waits_with_a_lock", waits_with_a_lock},
      {"first_come", first_come},
      {"race", race},
  };
  for (const auto& one : all) {
    if (count > 2 && std::strcmp(one.name, words[1]) == 0) {
      one.run(std::atol(words[2]));
      return 0;
    }
  }
  return 2;
}
