// Misuse as it comes about in C, each with a twin that does the same rightly.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct timespec soon(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += 20000000;
  if (time.tv_nsec >= 1000000000) {
    time.tv_nsec -= 1000000000;
    time.tv_sec++;
  }
  return time;
}

static pthread_t start(void* (*routine)(void*), void* argument) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, routine, argument) != 0) abort();
  return thread;
}

// CASE   error_path_unlocks_again
// FINDS  misuse a lock that nobody holds is unlocked
static int store(pthread_mutex_t* mutex, int fails) {
  pthread_mutex_lock(mutex);
  pthread_mutex_unlock(mutex);
  if (fails) {
    pthread_mutex_unlock(mutex);
    return -1;
  }
  return 0;
}
static void error_path_unlocks_again(void) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, NULL);
  store(&mutex, 1);
  pthread_mutex_destroy(&mutex);
}

// CASE   error_path_unlocks_once
// FINDS  nothing
static void error_path_unlocks_once(void) {
  pthread_mutex_t mutex;
  pthread_mutex_init(&mutex, NULL);
  store(&mutex, 0);
  pthread_mutex_destroy(&mutex);
}

// CASE   unlocked_before_it_was_ever_locked
// FINDS  misuse a lock that nobody holds is unlocked
static void unlocked_before_it_was_ever_locked(void) {
  pthread_mutex_t* const mutex = malloc(sizeof *mutex);
  pthread_mutex_init(mutex, NULL);
  pthread_mutex_unlock(mutex);
  free(mutex);
}

static pthread_rwlock_t table_lock;
static int table;
static void* read_table(void* argument) {
  pthread_rwlock_rdlock(&table_lock);
  *(int*)argument = table;
  pthread_rwlock_unlock(&table_lock);
  return NULL;
}

// CASE   table_closed_before_its_last_reader
// FINDS  misuse a destroyed object is used
static void table_closed_before_its_last_reader(void) {
  int seen = 0;
  pthread_rwlock_init(&table_lock, NULL);
  pthread_rwlock_destroy(&table_lock);
  pthread_join(start(read_table, &seen), NULL);
}

// CASE   table_closed_after_its_last_reader
// FINDS  nothing
static void table_closed_after_its_last_reader(void) {
  int seen = 0;
  pthread_rwlock_init(&table_lock, NULL);
  pthread_join(start(read_table, &seen), NULL);
  pthread_rwlock_destroy(&table_lock);
}

// CASE   table_closed_by_its_writer
// FINDS  misuse a lock is destroyed while it is held
static void table_closed_by_its_writer(void) {
  pthread_rwlock_init(&table_lock, NULL);
  pthread_rwlock_wrlock(&table_lock);
  table = 0;
  pthread_rwlock_destroy(&table_lock);
}

static pthread_mutex_t state = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

// CASE   waits_and_never_locked
// FINDS  misuse a condition is waited for without holding the mutex
static void waits_and_never_locked(void) {
  const struct timespec until = soon();
  pthread_cond_timedwait(&changed, &state, &until);
}

// CASE   waits_and_locked
// FINDS  nothing
static void waits_and_locked(void) {
  const struct timespec until = soon();
  pthread_mutex_lock(&state);
  if (pthread_cond_timedwait(&changed, &state, &until) != ETIMEDOUT) abort();
  pthread_mutex_unlock(&state);
}

static void* nothing(void* argument) { return argument; }

// CASE   joined_by_two_owners
// FINDS  misuse a thread is joined twice
static void* join_it(void* argument) {
  pthread_join(*(pthread_t*)argument, NULL);
  return NULL;
}
static void joined_by_two_owners(void) {
  pthread_t thread = start(nothing, NULL);
  pthread_join(start(join_it, &thread), NULL);
  pthread_join(thread, NULL);
}

// CASE   joined_by_one_owner
// FINDS  nothing
static void joined_by_one_owner(void) {
  pthread_t thread = start(nothing, NULL);
  pthread_join(start(join_it, &thread), NULL);
}

static sem_t finished;
static void* post_finished(void* argument) {
  sem_post(&finished);
  return argument;
}

// CASE   waited_for_by_semaphore_alone
// FINDS  leak a thread is neither joined nor detached
// RUNS   40
static void waited_for_by_semaphore_alone(void) {
  sem_init(&finished, 0, 0);
  for (int i = 0; i < 3; i++) start(post_finished, NULL);
  for (int i = 0; i < 3; i++) sem_wait(&finished);
  const struct timespec pause = {0, 50000000};
  nanosleep(&pause, NULL);
  sem_destroy(&finished);
}

// CASE   created_detached
// FINDS  nothing
static void created_detached(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sem_init(&finished, 0, 0);
  for (int i = 0; i < 3; i++) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, post_finished, NULL) != 0) abort();
  }
  for (int i = 0; i < 3; i++) sem_wait(&finished);
  pthread_attr_destroy(&attributes);
  const struct timespec pause = {0, 50000000};
  nanosleep(&pause, NULL);
}

// CASE   leaves_in_the_middle
// FINDS  misuse a thread ends while it holds a lock
static void give_up(void) { pthread_exit(NULL); }
static void* leaves(void* argument) {
  pthread_mutex_lock(&state);
  give_up();
  pthread_mutex_unlock(&state);
  return argument;
}
static void leaves_in_the_middle(void) { pthread_join(start(leaves, NULL), NULL); }

// CASE   leaves_and_cleans_up
// FINDS  nothing
static void unlock_state(void* argument) { pthread_mutex_unlock(argument); }
static void* leaves_cleanly(void* argument) {
  pthread_mutex_lock(&state);
  pthread_cleanup_push(unlock_state, &state);
  give_up();
  pthread_cleanup_pop(1);
  return argument;
}
static void leaves_and_cleans_up(void) { pthread_join(start(leaves_cleanly, NULL), NULL); }

// CASE   spin_lock_of_another
// FINDS  misuse a lock is unlocked that another thread holds
static pthread_spinlock_t spin;
static void* unlock_spin(void* argument) {
  pthread_spin_unlock(&spin);
  return argument;
}
static void spin_lock_of_another(void) {
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_lock(&spin);
  pthread_join(start(unlock_spin, NULL), NULL);
  pthread_spin_destroy(&spin);
}

// CASE   many_locks_at_once
// FINDS  nothing
static pthread_mutex_t shelf[200];
static void* takes_all(void* argument) {
  for (int i = 0; i < 200; i++) pthread_mutex_lock(&shelf[i]);
  for (int i = 200; i > 0; i--) pthread_mutex_unlock(&shelf[i - 1]);
  return argument;
}
static void many_locks_at_once(void) {
  for (int i = 0; i < 200; i++) pthread_mutex_init(&shelf[i], NULL);
  const pthread_t one = start(takes_all, NULL);
  const pthread_t two = start(takes_all, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  for (int i = 0; i < 200; i++) pthread_mutex_destroy(&shelf[i]);
}

// Past 1024 threads they have no numbers, and libc gives their handles out again.
// CASE   more_threads_than_numbers
// FINDS  nothing
// RUNS   1
static void more_threads_than_numbers(void) {
  for (int i = 0; i < 1100; i++) pthread_join(start(nothing, NULL), NULL);
}

int main(int count, char** words) {
  const struct {
    const char* name;
    void (*run)(void);
  } cases[] = {
      {"error_path_unlocks_again", error_path_unlocks_again},
      {"error_path_unlocks_once", error_path_unlocks_once},
      {"unlocked_before_it_was_ever_locked", unlocked_before_it_was_ever_locked},
      {"table_closed_before_its_last_reader", table_closed_before_its_last_reader},
      {"table_closed_after_its_last_reader", table_closed_after_its_last_reader},
      {"table_closed_by_its_writer", table_closed_by_its_writer},
      {"waits_and_never_locked", waits_and_never_locked},
      {"waits_and_locked", waits_and_locked},
      {"joined_by_two_owners", joined_by_two_owners},
      {"joined_by_one_owner", joined_by_one_owner},
      {"waited_for_by_semaphore_alone", waited_for_by_semaphore_alone},
      {"created_detached", created_detached},
      {"leaves_in_the_middle", leaves_in_the_middle},
      {"leaves_and_cleans_up", leaves_and_cleans_up},
      {"spin_lock_of_another", spin_lock_of_another},
      {"many_locks_at_once", many_locks_at_once},
      {"more_threads_than_numbers", more_threads_than_numbers},
  };
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    if (count > 1 && strcmp(cases[i].name, words[1]) == 0) {
      cases[i].run();
      return 0;
    }
  }
  return 2;
}
