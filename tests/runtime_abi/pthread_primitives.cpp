// Every pthread primitive with the results POSIX gives. Run on our runtime it must not be able to tell.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <time.h>

#include "check.h"

namespace {

timespec soon(clockid_t clock, long milliseconds) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += milliseconds * 1'000'000;
  time.tv_sec += time.tv_nsec / 1'000'000'000;
  time.tv_nsec %= 1'000'000'000;
  return time;
}

template <class Body>
struct Thread {
  explicit Thread(Body& body) {
    CHECK(pthread_create(
              &id, nullptr,
              [](void* b) -> void* {
                (*static_cast<Body*>(b))();
                return nullptr;
              },
              &body) == 0);
  }
  ~Thread() { CHECK(pthread_join(id, nullptr) == 0); }
  pthread_t id;
};

template <class Body>
void in_another_thread(Body body) {
  Thread<Body> thread(body);
}

void mutex_of_kind(int kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind);
  pthread_mutex_t mutex;
  CHECK(pthread_mutex_init(&mutex, &attributes) == 0);
  CHECK(pthread_mutex_lock(&mutex) == 0);
  if (kind == PTHREAD_MUTEX_RECURSIVE) {
    CHECK(pthread_mutex_trylock(&mutex) == 0);
    CHECK(pthread_mutex_unlock(&mutex) == 0);
  } else {
    CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
  }
  if (kind == PTHREAD_MUTEX_ERRORCHECK) CHECK(pthread_mutex_lock(&mutex) == EDEADLK);
  in_another_thread([&] {
    errno = 4711;
    CHECK(pthread_mutex_trylock(&mutex) == EBUSY);
    const timespec real = soon(CLOCK_REALTIME, 20);
    CHECK(pthread_mutex_timedlock(&mutex, &real) == ETIMEDOUT);
    const timespec monotonic = soon(CLOCK_MONOTONIC, 20);
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &monotonic) == ETIMEDOUT);
    CHECK(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &monotonic) == EINVAL);
    if (kind == PTHREAD_MUTEX_ERRORCHECK) CHECK(pthread_mutex_unlock(&mutex) == EPERM);
    CHECK(errno == 4711);
  });
  CHECK(pthread_mutex_unlock(&mutex) == 0);
  CHECK(pthread_mutex_destroy(&mutex) == 0);
}

void robust_mutex() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_t mutex;
  CHECK(pthread_mutex_init(&mutex, &attributes) == 0);
  in_another_thread([&] { CHECK(pthread_mutex_lock(&mutex) == 0); });
  CHECK(pthread_mutex_lock(&mutex) == EOWNERDEAD);
  CHECK(pthread_mutex_consistent(&mutex) == 0);
  CHECK(pthread_mutex_unlock(&mutex) == 0);
  CHECK(pthread_mutex_destroy(&mutex) == 0);
}

void spin() {
  pthread_spinlock_t lock;
  CHECK(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
  CHECK(pthread_spin_lock(&lock) == 0);
  CHECK(pthread_spin_trylock(&lock) == EBUSY);
  CHECK(pthread_spin_unlock(&lock) == 0);
  CHECK(pthread_spin_trylock(&lock) == 0);
  CHECK(pthread_spin_unlock(&lock) == 0);
  CHECK(pthread_spin_destroy(&lock) == 0);
}

void rwlock() {
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  CHECK(pthread_rwlock_rdlock(&lock) == 0);
  in_another_thread([&] {
    CHECK(pthread_rwlock_tryrdlock(&lock) == 0);
    CHECK(pthread_rwlock_unlock(&lock) == 0);
    CHECK(pthread_rwlock_trywrlock(&lock) == EBUSY);
    const timespec real = soon(CLOCK_REALTIME, 20);
    CHECK(pthread_rwlock_timedwrlock(&lock, &real) == ETIMEDOUT);
    const timespec monotonic = soon(CLOCK_MONOTONIC, 20);
    CHECK(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &monotonic) == ETIMEDOUT);
  });
  CHECK(pthread_rwlock_unlock(&lock) == 0);
  CHECK(pthread_rwlock_wrlock(&lock) == 0);
  in_another_thread([&] {
    CHECK(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    const timespec real = soon(CLOCK_REALTIME, 20);
    CHECK(pthread_rwlock_timedrdlock(&lock, &real) == ETIMEDOUT);
    const timespec monotonic = soon(CLOCK_MONOTONIC, 20);
    CHECK(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &monotonic) == ETIMEDOUT);
  });
  CHECK(pthread_rwlock_unlock(&lock) == 0);
  CHECK(pthread_rwlock_destroy(&lock) == 0);
}

void cond_on_clock(clockid_t clock) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  CHECK(pthread_condattr_setclock(&attributes, clock) == 0);
  pthread_cond_t cond;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  CHECK(pthread_cond_init(&cond, &attributes) == 0);
  CHECK(pthread_mutex_lock(&mutex) == 0);
  timespec deadline = soon(clock, 30);
  CHECK(pthread_cond_timedwait(&cond, &mutex, &deadline) == ETIMEDOUT);
  timespec now;
  clock_gettime(clock, &now);
  CHECK(now.tv_sec > deadline.tv_sec ||
        (now.tv_sec == deadline.tv_sec && now.tv_nsec >= deadline.tv_nsec));
  deadline = soon(CLOCK_MONOTONIC, 20);
  CHECK(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);

  bool ready = false;
  auto notify = [&] {
    pthread_mutex_lock(&mutex);
    ready = true;
    CHECK(pthread_cond_signal(&cond) == 0);
    CHECK(pthread_cond_broadcast(&cond) == 0);
    pthread_mutex_unlock(&mutex);
  };
  Thread<decltype(notify)> thread(notify);
  while (!ready) CHECK(pthread_cond_wait(&cond, &mutex) == 0);
  CHECK(pthread_mutex_unlock(&mutex) == 0);
  CHECK(pthread_cond_destroy(&cond) == 0);
}

void barrier() {
  pthread_barrier_t barrier;
  CHECK(pthread_barrier_init(&barrier, nullptr, 2) == 0);
  int serial = 0;
  auto cross = [&] {
    for (int i = 0; i < 3; ++i) {
      const int result = pthread_barrier_wait(&barrier);
      CHECK(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
      if (result == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_add_fetch(&serial, 1, __ATOMIC_RELAXED);
    }
  };
  {
    Thread<decltype(cross)> thread(cross);
    cross();
  }
  CHECK(serial == 3);
  CHECK(pthread_barrier_destroy(&barrier) == 0);
}

void semaphore() {
  sem_t semaphore;
  CHECK(sem_init(&semaphore, 0, 1) == 0);
  CHECK(sem_wait(&semaphore) == 0);
  errno = 0;
  CHECK(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
  timespec deadline = soon(CLOCK_REALTIME, 20);
  CHECK(sem_timedwait(&semaphore, &deadline) == -1 && errno == ETIMEDOUT);
  deadline = soon(CLOCK_MONOTONIC, 20);
  errno = 0;
  CHECK(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &deadline) == -1 && errno == ETIMEDOUT);
  in_another_thread([&] { CHECK(sem_post(&semaphore) == 0); });
  CHECK(sem_trywait(&semaphore) == 0);
  CHECK(sem_destroy(&semaphore) == 0);
}

int g_once_runs = 0;
void once() {
  static pthread_once_t control = PTHREAD_ONCE_INIT;
  for (int i = 0; i < 2; ++i) CHECK(pthread_once(&control, [] { ++g_once_runs; }) == 0);
  CHECK(g_once_runs == 1);
}

}  // namespace

int main() {
  mutex_of_kind(PTHREAD_MUTEX_NORMAL);
  mutex_of_kind(PTHREAD_MUTEX_RECURSIVE);
  mutex_of_kind(PTHREAD_MUTEX_ERRORCHECK);
  mutex_of_kind(PTHREAD_MUTEX_ADAPTIVE_NP);
  robust_mutex();
  spin();
  rwlock();
  cond_on_clock(CLOCK_REALTIME);
  cond_on_clock(CLOCK_MONOTONIC);
  barrier();
  semaphore();
  once();
  CHECK(sched_yield() == 0);
  puts("ok");
}
