// Lock orders: which circles can close.
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

std::mutex a;
std::mutex b;
std::mutex c;
std::mutex gate;
std::shared_mutex r;
std::shared_mutex s;

template <class First, class Second>
void in_order(First& first, Second& second) {
  const std::lock_guard outer(first);
  const std::lock_guard inner(second);
}

// CASE   opposite_orders
// FINDS  lock-order
void opposite_orders() {
  both([] { in_order(a, b); }, [] { in_order(b, a); });
}

// CASE   same_order
// FINDS  nothing
void same_order() {
  both([] { in_order(a, b); }, [] { in_order(a, b); });
}

// CASE   opposite_orders_that_never_meet
// FINDS  lock-order
void opposite_orders_that_never_meet() {
  std::atomic<bool> done{false};
  both(
      [&] {
        in_order(a, b);
        done = true;
      },
      [&] {
        while (!done) std::this_thread::yield();
        in_order(b, a);
      });
}

// CASE   opposite_orders_one_after_the_other
// FINDS  nothing
void opposite_orders_one_after_the_other() {
  std::thread([] { in_order(a, b); }).join();
  std::thread([] { in_order(b, a); }).join();
}

// CASE   one_thread_both_orders
// FINDS  nothing
void one_thread_both_orders() {
  std::thread([] {
    in_order(a, b);
    in_order(b, a);
  }).join();
}

// CASE   behind_a_gate
// FINDS  nothing
void behind_a_gate() {
  both(
      [] {
        const std::lock_guard lock(gate);
        in_order(a, b);
      },
      [] {
        const std::lock_guard lock(gate);
        in_order(b, a);
      });
}

// CASE   circle_of_three
// FINDS  lock-order
void circle_of_three() {
  std::thread third([] { in_order(c, a); });
  both([] { in_order(a, b); }, [] { in_order(b, c); });
  third.join();
}

// CASE   readers_in_both_orders
// FINDS  nothing
void readers_in_both_orders() {
  both(
      [] {
        const std::shared_lock outer(r);
        const std::shared_lock inner(s);
      },
      [] {
        const std::shared_lock outer(s);
        const std::shared_lock inner(r);
      });
}

// CASE   readers_and_writers_in_both_orders
// FINDS  lock-order
void readers_and_writers_in_both_orders() {
  both(
      [] {
        const std::shared_lock outer(r);
        const std::lock_guard inner(s);
      },
      [] {
        const std::shared_lock outer(s);
        const std::lock_guard inner(r);
      });
}

// CASE   tries_the_second
// FINDS  nothing
void tries_the_second() {
  const auto careful = [](std::mutex& first, std::mutex& second) {
    const std::lock_guard outer(first);
    if (second.try_lock()) second.unlock();
  };
  both([=] { careful(a, b); }, [=] { careful(b, a); });
}

// CASE   waits_a_while_for_the_second
// FINDS  nothing
std::timed_mutex d;
std::timed_mutex e;
void waits_a_while_for_the_second() {
  const auto patient = [](std::timed_mutex& first, std::timed_mutex& second) {
    const std::lock_guard outer(first);
    if (second.try_lock_for(std::chrono::milliseconds(5))) second.unlock();
  };
  both([=] { patient(d, e); }, [=] { patient(e, d); });
}

// CASE   taken_together
// FINDS  nothing
void taken_together() {
  both([] { const std::scoped_lock lock(a, b); }, [] { const std::scoped_lock lock(b, a); });
}

// CASE   waits_with_the_other_lock
// FINDS  lock-order
std::condition_variable later;
bool signalled;
void waits_with_the_other_lock() {
  both(
      [] {
        const std::lock_guard outer(a);
        std::unique_lock lock(b);
        later.wait_for(lock, std::chrono::milliseconds(20), [] { return signalled; });
      },
      [] {
        const std::lock_guard outer(a);
        const std::lock_guard lock(b);
        signalled = true;
        later.notify_one();
      });
}

// CASE   signals_whether_or_not_it_got_the_lock
// FINDS  nothing
std::condition_variable anyhow;
bool anyhow_signalled;
void signals_whether_or_not_it_got_the_lock() {
  both(
      [] {
        const std::unique_lock outer(a, std::try_to_lock);
        std::unique_lock lock(b);
        anyhow.wait(lock, [] { return anyhow_signalled; });
      },
      [] {
        const std::unique_lock outer(a, std::try_to_lock);
        const std::lock_guard lock(b);
        anyhow_signalled = true;
        anyhow.notify_one();
      });
}

// CASE   signalled_without_the_other_lock_as_well
// FINDS  nothing
std::condition_variable often;
bool often_signalled;
void signalled_without_the_other_lock_as_well() {
  const auto with_both = [] {
    const std::lock_guard outer(a);
    const std::lock_guard lock(b);
    often.notify_one();
  };
  std::thread enough([] {
    const std::lock_guard lock(b);
    often_signalled = true;
    often.notify_one();
  });
  both(
      [] {
        const std::lock_guard outer(a);
        std::unique_lock lock(b);
        often.wait(lock, [] { return often_signalled; });
      },
      with_both);
  enough.join();
}

// CASE   waits_with_one_lock
// FINDS  nothing
std::condition_variable soon;
bool soon_signalled;
void waits_with_one_lock() {
  both(
      [] {
        std::unique_lock lock(b);
        soon.wait(lock, [] { return soon_signalled; });
      },
      [] {
        const std::lock_guard lock(b);
        soon_signalled = true;
        soon.notify_one();
      });
}

// CASE   new_locks_at_old_places
// FINDS  nothing
void new_locks_at_old_places() {
  const auto use = [](bool other_way) {
    auto* const pair = new pthread_mutex_t[2];
    pthread_mutex_init(&pair[0], nullptr);
    pthread_mutex_init(&pair[1], nullptr);
    pthread_mutex_t* const first = &pair[other_way ? 1 : 0];
    pthread_mutex_t* const second = &pair[other_way ? 0 : 1];
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    pthread_mutex_destroy(&pair[0]);
    pthread_mutex_destroy(&pair[1]);
    delete[] pair;
  };
  both([=] { use(false); }, [=] { use(true); });
}

constexpr Case kCases[] = {
    {"opposite_orders", opposite_orders},
    {"same_order", same_order},
    {"opposite_orders_that_never_meet", opposite_orders_that_never_meet},
    {"opposite_orders_one_after_the_other", opposite_orders_one_after_the_other},
    {"one_thread_both_orders", one_thread_both_orders},
    {"behind_a_gate", behind_a_gate},
    {"circle_of_three", circle_of_three},
    {"readers_in_both_orders", readers_in_both_orders},
    {"readers_and_writers_in_both_orders", readers_and_writers_in_both_orders},
    {"tries_the_second", tries_the_second},
    {"waits_a_while_for_the_second", waits_a_while_for_the_second},
    {"taken_together", taken_together},
    {"waits_with_the_other_lock", waits_with_the_other_lock},
    {"signals_whether_or_not_it_got_the_lock", signals_whether_or_not_it_got_the_lock},
    {"signalled_without_the_other_lock_as_well", signalled_without_the_other_lock_as_well},
    {"waits_with_one_lock", waits_with_one_lock},
    {"new_locks_at_old_places", new_locks_at_old_places},
};

}  // namespace cases

int main(int count, char** words) { return run_case(cases::kCases, count, words); }
