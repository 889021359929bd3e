// notification: the third experiment of ConTest (Edelstein et al., 2002).
//
// The paper  Threads wait, yielding, until `notified` is true, and then print
//            subject.currentValue(). The main thread's changeNotification() first sets `notified`
//            and then assigns `subject`. Unseeded the fault never came in 500 executions with 2000
//            threads altogether; with yield() or sleep() about 700 of 2000 threads met it.
// The bug    The two assignments stand in the wrong order: a thread switch between them lets the
//            waiting threads use a subject that is not there yet.
// It fails   by a null pointer (a crash), where Java threw a NullPointerException.
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <thread>

namespace {

constexpr int kWaiters = 4;

struct Subject {
  int value;
  int current_value() const { return value; }
};

// Atomic, as a Java field is in practice: no torn and no invented value, only the order is wrong.
std::atomic<bool> notified{false};
std::atomic<const Subject*> subject{nullptr};

void wait_for_change() {
  while (!notified) sched_yield();
  std::printf("subject current value is: %d\n", subject.load()->current_value());
}

void change_notification(const Subject& changed) {
  notified = true;
  subject = &changed;
}

}  // namespace

int main() {
  const Subject changed{42};
  std::array<std::thread, kWaiters> waiters;
  for (auto& waiter : waiters) waiter = std::thread(wait_for_change);
  change_notification(changed);
  for (auto& waiter : waiters) waiter.join();
}
