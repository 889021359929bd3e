// Misuse as it comes about in C++, each with a twin that does the same rightly.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

using std::chrono::milliseconds;

// CASE   guard_moved_to_a_worker
// FINDS  misuse a lock is unlocked that another thread holds
void guard_moved_to_a_worker() {
  static std::mutex mutex;
  std::unique_lock lock(mutex);
  std::thread([moved = std::move(lock)]() mutable { moved.unlock(); }).join();
}

// CASE   permit_moved_to_a_worker
// FINDS  nothing
void permit_moved_to_a_worker() {
  static std::binary_semaphore permit(1);
  permit.acquire();
  std::thread([] { permit.release(); }).join();
  permit.acquire();
}

// CASE   shared_lock_let_go_as_exclusive
// FINDS  misuse a lock that nobody holds is unlocked
void shared_lock_let_go_as_exclusive() {
  static std::shared_mutex mutex;
  mutex.lock_shared();
  mutex.unlock_shared();
  mutex.unlock();
}

struct Mailbox {
  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<int> letters;

  bool take(int& letter) {
    std::unique_lock lock(mutex);
    if (!arrived.wait_for(lock, milliseconds(20), [&] { return !letters.empty(); })) return false;
    letter = letters.front();
    letters.pop_front();
    return true;
  }
};

// CASE   mailbox_gone_while_waited_for
// FINDS  misuse a condition variable is destroyed while a thread waits for it
// RUNS   10
void mailbox_gone_while_waited_for() {
  alignas(Mailbox) static unsigned char room[sizeof(Mailbox)];
  auto* const box = new (room) Mailbox;
  static std::mutex* const mutex = &box->mutex;
  static bool waiting = false;
  std::thread reader([box] {
    std::unique_lock lock(*mutex);
    waiting = true;
    box->arrived.wait_for(lock, milliseconds(500));  // long enough for a busy machine, in real time
  });
  for (bool seen = false; !seen;) {
    std::this_thread::yield();
    const std::lock_guard lock(*mutex);
    seen = waiting;
  }
  box->arrived.~condition_variable();
  reader.join();
}

// CASE   mailbox_gone_when_all_are_told
// FINDS  nothing
void mailbox_gone_when_all_are_told() {
  static std::mutex mutex;  // POSIX: who was woken does not need the condition variable any more
  static int waiting = 0;
  static bool told = false;
  auto arrived = std::make_unique<std::condition_variable>();
  const auto wait = [&arrived = *arrived] {
    std::unique_lock lock(mutex);
    ++waiting;
    while (!told) arrived.wait(lock);
  };
  std::thread readers[] = {std::thread(wait), std::thread(wait), std::thread(wait)};
  while (!told) {
    std::this_thread::yield();
    const std::lock_guard lock(mutex);
    if (waiting < 3) continue;
    told = true;
    arrived->notify_all();
  }
  arrived.reset();
  for (std::thread& reader : readers) reader.join();
}

// CASE   mailbox_gone_when_one_is_told
// FINDS  misuse a condition variable is destroyed while a thread waits for it
void mailbox_gone_when_one_is_told() {
  alignas(std::condition_variable) static unsigned char room[sizeof(std::condition_variable)];
  auto* const arrived = new (room) std::condition_variable;
  static std::mutex mutex;
  static int waiting = 0;
  static int back = 0;
  const auto wait = [arrived] {
    std::unique_lock lock(mutex);
    ++waiting;
    arrived->wait_for(lock, milliseconds(500));
    ++back;
  };
  std::thread first(wait);
  std::thread second(wait);
  for (bool told = false; !told;) {
    std::this_thread::yield();
    const std::lock_guard lock(mutex);
    told = waiting == 2;
    if (told) arrived->notify_one();
  }
  for (bool one_is_back = false; !one_is_back;) {
    std::this_thread::yield();
    const std::lock_guard lock(mutex);
    one_is_back = back > 0;
  }
  arrived->~condition_variable();
  first.join();
  second.join();
}

// CASE   mailbox_gone_after_its_reader
// FINDS  nothing
void mailbox_gone_after_its_reader() {
  auto box = std::make_unique<Mailbox>();
  std::thread reader([&] {
    int letter = 0;
    box->take(letter);
  });
  {
    const std::lock_guard lock(box->mutex);
    box->letters.push_back(1);
  }
  box->arrived.notify_one();
  reader.join();
  box.reset();
}

int setting;
int used;

// CASE   started_long_ago
// FINDS  race setting
// FINDS  sleep-sync setting
void started_long_ago() {
  std::thread reader([] {
    std::this_thread::sleep_for(milliseconds(200));
    used = setting;
  });
  setting = 7;
  reader.join();
}

// CASE   told_when_ready
// FINDS  nothing
void told_when_ready() {
  static std::mutex mutex;
  static std::condition_variable ready;
  static bool is_ready = false;
  std::thread reader([] {
    std::unique_lock lock(mutex);
    while (!ready.wait_for(lock, milliseconds(200), [] { return is_ready; })) {
    }
    used = setting;
  });
  {
    const std::lock_guard lock(mutex);
    setting = 7;
    is_ready = true;
  }
  ready.notify_all();
  reader.join();
}

constexpr Case kCases[] = {
    {"guard_moved_to_a_worker", guard_moved_to_a_worker},
    {"permit_moved_to_a_worker", permit_moved_to_a_worker},
    {"shared_lock_let_go_as_exclusive", shared_lock_let_go_as_exclusive},
    {"mailbox_gone_while_waited_for", mailbox_gone_while_waited_for},
    {"mailbox_gone_when_all_are_told", mailbox_gone_when_all_are_told},
    {"mailbox_gone_when_one_is_told", mailbox_gone_when_one_is_told},
    {"mailbox_gone_after_its_reader", mailbox_gone_after_its_reader},
    {"started_long_ago", started_long_ago},
    {"told_when_ready", told_when_ready},
};

}  // namespace cases

int main(int count, char** words) { return run_case(cases::kCases, count, words); }
