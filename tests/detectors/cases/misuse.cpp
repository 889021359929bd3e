// POSIX's rules for its primitives: broken, and kept in ways that look suspicious.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <mutex>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

timespec soon() {
  timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += 20'000'000;
  if (time.tv_nsec >= 1'000'000'000) {
    time.tv_nsec -= 1'000'000'000;
    time.tv_sec++;
  }
  return time;
}

// CASE   unlocked_by_a_stranger
// FINDS  misuse a lock is unlocked that another thread holds
void unlocked_by_a_stranger() {
  pthread_mutex_lock(&lock);
  std::thread([] { pthread_mutex_unlock(&lock); }).join();
}

// CASE   unlocked_twice
// FINDS  misuse a lock that nobody holds is unlocked
void unlocked_twice() {
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&own);
  pthread_mutex_unlock(&own);
  pthread_mutex_unlock(&own);
}

// CASE   refused_and_told
// FINDS  nothing
void refused_and_told() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  static pthread_mutex_t checking;
  pthread_mutex_init(&checking, &attributes);
  pthread_mutex_lock(&checking);
  std::thread([] {
    if (pthread_mutex_unlock(&checking) != EPERM) abort();
  }).join();
  if (pthread_mutex_lock(&checking) != EDEADLK) abort();
  pthread_mutex_unlock(&checking);
  pthread_mutex_destroy(&checking);
}

// CASE   destroyed_while_held
// FINDS  misuse a lock is destroyed while it is held
void destroyed_while_held() {
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&own);
  pthread_mutex_destroy(&own);
  pthread_mutex_unlock(&own);
}

// CASE   used_after_destruction
// FINDS  misuse a destroyed object is used
void used_after_destruction() {
  static sem_t gone;
  sem_init(&gone, 0, 1);
  sem_destroy(&gone);
  sem_post(&gone);
}

// CASE   begun_again
// FINDS  nothing
void begun_again() {
  static pthread_mutex_t reused;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&reused, nullptr);
    const auto use = [] {
      pthread_mutex_lock(&reused);
      pthread_mutex_unlock(&reused);
    };
    both(use, use);
    pthread_mutex_destroy(&reused);
  }
}

// CASE   waits_without_the_mutex
// FINDS  misuse a condition is waited for without holding the mutex
void waits_without_the_mutex() {
  const timespec until = soon();
  std::thread holder([] {
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
  });
  holder.join();
  pthread_cond_timedwait(&cond, &other, &until);
  pthread_mutex_unlock(&other);
}

// CASE   two_mutexes_for_one_condition
// FINDS  misuse a condition is waited for with two different mutexes at once
void two_mutexes_for_one_condition() {
  const auto wait = [](pthread_mutex_t* mutex) {
    const timespec until = soon();
    pthread_mutex_lock(mutex);
    pthread_cond_timedwait(&cond, mutex, &until);
    pthread_mutex_unlock(mutex);
  };
  both([=] { wait(&lock); }, [=] { wait(&other); });
}

// CASE   one_mutex_after_the_other
// FINDS  nothing
void one_mutex_after_the_other() {
  for (pthread_mutex_t* mutex : {&lock, &other}) {
    const timespec until = soon();
    pthread_mutex_lock(mutex);
    pthread_cond_timedwait(&cond, mutex, &until);
    pthread_mutex_unlock(mutex);
  }
}

// CASE   ends_with_a_lock
// FINDS  misuse a thread ends while it holds a lock
void ends_with_a_lock() {
  std::thread([] { pthread_mutex_lock(&lock); }).join();
}

// CASE   process_ends_with_a_lock
// FINDS  nothing
void process_ends_with_a_lock() {
  pthread_mutex_lock(&lock);
  exit(0);
}

// CASE   owner_died
// FINDS  nothing
void owner_died() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  static pthread_mutex_t robust;
  pthread_mutex_init(&robust, &attributes);
  std::thread([] { pthread_mutex_lock(&robust); }).join();
  if (pthread_mutex_lock(&robust) != EOWNERDEAD) abort();
  pthread_mutex_consistent(&robust);
  pthread_mutex_unlock(&robust);
  pthread_mutex_destroy(&robust);
}

void* nothing_to_do(void* argument) { return argument; }

// CASE   never_joined
// FINDS  leak a thread is neither joined nor detached
void never_joined() {
  pthread_t thread;
  pthread_create(&thread, nullptr, nothing_to_do, nullptr);
  usleep(50000);
}

// CASE   detached_later
// FINDS  nothing
void detached_later() {
  pthread_t thread;
  pthread_create(&thread, nullptr, nothing_to_do, nullptr);
  pthread_detach(thread);
  usleep(50000);
}

// CASE   joined_although_detached
// FINDS  misuse a detached thread is joined
void joined_although_detached() {
  static pthread_mutex_t hold = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&hold);
  pthread_t thread;
  pthread_create(
      &thread, nullptr,
      [](void* argument) -> void* {
        pthread_mutex_lock(&hold);
        pthread_mutex_unlock(&hold);
        return argument;
      },
      nullptr);
  pthread_detach(thread);
  pthread_join(thread, nullptr);
  pthread_mutex_unlock(&hold);
}

// CASE   semaphore_given_by_another
// FINDS  nothing
void semaphore_given_by_another() {
  static sem_t turn;
  sem_init(&turn, 0, 0);
  both([] { sem_wait(&turn); }, [] { sem_post(&turn); });
  sem_destroy(&turn);
}

// CASE   handed_to_another_object
// FINDS  nothing
void handed_to_another_object() {
  for (int i = 0; i < 3; i++) {
    auto* const own = static_cast<pthread_mutex_t*>(malloc(sizeof(pthread_mutex_t)));
    pthread_mutex_init(own, nullptr);
    pthread_mutex_lock(own);
    pthread_mutex_unlock(own);
    if (i != 1) pthread_mutex_destroy(own);
    free(own);
  }
}

// CASE   reader_lets_go_of_writers_lock
// FINDS  misuse a lock is unlocked that another thread holds
void reader_lets_go_of_writers_lock() {
  static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_wrlock(&shared);
  std::thread([] { pthread_rwlock_unlock(&shared); }).join();
}

// What the allocator keeps in a free block does not reach the lock.
struct Account {
  char name[64] = "";
  std::mutex lock;
  int balance = 0;
};

// CASE   locked_when_freed
// FINDS  misuse an object in freed memory is used
void locked_when_freed() {
  auto* const account = new Account;
  std::thread([=] {
    const std::lock_guard hold(account->lock);
    account->balance++;
  }).join();
  std::thread([=] { delete account; }).join();
  account->lock.lock();
  account->lock.unlock();
}

// CASE   freed_under_its_own_lock
// FINDS  misuse a lock is freed by the thread that holds it
void freed_under_its_own_lock() {
  auto* const account = new Account;
  const auto leave = [=] {
    const std::lock_guard hold(account->lock);
    if (--account->balance == 0) delete account;
  };
  account->balance = 2;
  std::thread(leave).join();
  std::thread(leave).join();
}

// CASE   freed_when_let_go
// FINDS  nothing
void freed_when_let_go() {
  for (int i = 0; i < 3; i++) {
    auto* const account = new Account;
    const auto leave = [=] {
      bool last;
      {
        const std::lock_guard hold(account->lock);
        last = --account->balance == 0;
      }
      if (last) delete account;
    };
    account->balance = 2;
    both(leave, leave);
  }
}

constexpr Case kCases[] = {
    {"unlocked_by_a_stranger", unlocked_by_a_stranger},
    {"unlocked_twice", unlocked_twice},
    {"refused_and_told", refused_and_told},
    {"destroyed_while_held", destroyed_while_held},
    {"used_after_destruction", used_after_destruction},
    {"begun_again", begun_again},
    {"waits_without_the_mutex", waits_without_the_mutex},
    {"two_mutexes_for_one_condition", two_mutexes_for_one_condition},
    {"one_mutex_after_the_other", one_mutex_after_the_other},
    {"ends_with_a_lock", ends_with_a_lock},
    {"process_ends_with_a_lock", process_ends_with_a_lock},
    {"owner_died", owner_died},
    {"never_joined", never_joined},
    {"detached_later", detached_later},
    {"joined_although_detached", joined_although_detached},
    {"semaphore_given_by_another", semaphore_given_by_another},
    {"handed_to_another_object", handed_to_another_object},
    {"reader_lets_go_of_writers_lock", reader_lets_go_of_writers_lock},
    {"locked_when_freed", locked_when_freed},
    {"freed_under_its_own_lock", freed_under_its_own_lock},
    {"freed_when_let_go", freed_when_let_go},
};

}  // namespace cases

int main(int count, char** words) { return run_case(cases::kCases, count, words); }
