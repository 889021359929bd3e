// WHAT    Handlers run in threads that wait for a condition, a barrier or an atomic, and wake-ups come meanwhile: the threads wait on, and
//         are reached.
// EXPECT  pass
// CONTROL whole
// WITHIN  strategy every runs 40 seed 1
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <cassert>

static std::atomic<int> handled;
static std::atomic<int> word;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t together;
static bool ready;

static void handle(int) {
  handled++;
  handled++;
}

static void* wait_for_condition(void* timed) {
  timespec deadline;
  clock_gettime(CLOCK_REALTIME, &deadline);
  deadline.tv_sec += 1'000'000;
  pthread_mutex_lock(&lock);
  while (!ready) {
    const int error = timed != nullptr ? pthread_cond_timedwait(&changed, &lock, &deadline)
                                       : pthread_cond_wait(&changed, &lock);
    assert(error == 0);
  }
  pthread_mutex_unlock(&lock);
  return nullptr;
}

static void* wait_at_barrier(void* unused) {
  pthread_barrier_wait(&together);
  return unused;
}

static void* wait_for_word(void* unused) {
  word.wait(0);
  return unused;
}

static void change() {
  pthread_mutex_lock(&lock);
  ready = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static void arrive() { pthread_barrier_wait(&together); }

static void store() {
  word = 1;
  word.notify_one();
}

static void interrupt(void* (*routine)(void*), void* argument, void (*wake)()) {
  pthread_t thread;
  ready = false;
  word = 0;
  pthread_create(&thread, nullptr, routine, argument);
  pthread_kill(thread, SIGUSR1);
  wake();
  pthread_join(thread, nullptr);
}

int main() {
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
  pthread_barrier_init(&together, nullptr, 2);
  interrupt(wait_for_condition, nullptr, change);
  interrupt(wait_for_condition, &ready, change);
  interrupt(wait_at_barrier, nullptr, arrive);
  interrupt(wait_for_word, nullptr, store);
  return 0;
}
