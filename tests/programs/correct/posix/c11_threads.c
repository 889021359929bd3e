// WHAT    C11 threads: mutexes of all kinds, conditions, once, thread-specific storage, sleep and
//         yield.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

static mtx_t lock, recursive, timed;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t storage;
static thread_local int own = 1;
static int ready, initialised;

static void initialise(void) { initialised++; }

static int wait_for_ready(void* unused) {
  (void)unused;
  call_once(&once, initialise);
  tss_set(storage, malloc(1));
  own++;
  mtx_lock(&lock);
  while (!ready) cnd_wait(&changed, &lock);
  mtx_unlock(&lock);
  return own;
}

int main(void) {
  mtx_init(&lock, mtx_plain);
  mtx_init(&recursive, mtx_plain | mtx_recursive);
  mtx_init(&timed, mtx_timed);
  cnd_init(&changed);
  tss_create(&storage, free);
  thrd_t threads[2];
  for (int i = 0; i < 2; i++)
    assert(thrd_create(&threads[i], wait_for_ready, NULL) == thrd_success);
  thrd_yield();
  const struct timespec moment = {0, 1000000}, past = {1, 0};
  thrd_sleep(&moment, NULL);
  mtx_lock(&lock);
  ready = 1;
  cnd_broadcast(&changed);
  mtx_unlock(&lock);
  for (int i = 0; i < 2; i++) {
    int result;
    thrd_join(threads[i], &result);
    assert(result == 2);
  }
  assert(initialised == 1 && own == 1);

  mtx_lock(&recursive);
  assert(mtx_trylock(&recursive) == thrd_success);
  mtx_unlock(&recursive);
  mtx_unlock(&recursive);
  mtx_lock(&timed);
  assert(mtx_trylock(&timed) == thrd_busy);
  mtx_unlock(&timed);
  mtx_lock(&lock);
  assert(cnd_timedwait(&changed, &lock, &past) == thrd_timedout);
  mtx_unlock(&lock);
  return 0;
}
