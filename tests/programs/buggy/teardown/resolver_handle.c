// WHAT    A resolver thread marks its request done and then, without the lock, calls the wake-up
//         function kept in the request; the transfer loop, woken by another resolver, sees it done
//         and clears the request before that call.
// EXPECT  failure crash
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   teardown
// MIN_PREEMPTIONS 1
// DECISIVE resolver_main, resolver_destroy|resolver_main, perform
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define TRANSFERS 2

struct multi {
  pthread_mutex_t mutex;
  pthread_cond_t woken;
  int wakeups;
};

struct resolver {
  pthread_mutex_t mutex;
  int done;
  unsigned address;
  char host[32];
  void (*wake)(struct multi*);
  struct multi* multi;
};

static void multi_wake(struct multi* m) {
  pthread_mutex_lock(&m->mutex);
  m->wakeups++;
  pthread_cond_signal(&m->woken);
  pthread_mutex_unlock(&m->mutex);
}

static void multi_wait(struct multi* m) {
  pthread_mutex_lock(&m->mutex);
  while (m->wakeups == 0) pthread_cond_wait(&m->woken, &m->mutex);
  m->wakeups = 0;
  pthread_mutex_unlock(&m->mutex);
}

static unsigned look_up(const char* host) {
  unsigned address = 5381;

  while (*host) address = address * 33 + (unsigned char)*host++;
  return address;
}

static void* resolver_main(void* arg) {
  struct resolver* r = arg;
  unsigned address = look_up(r->host);

  pthread_mutex_lock(&r->mutex);
  r->address = address;
  r->done = 1;
  pthread_mutex_unlock(&r->mutex);
  r->wake(r->multi);
  return NULL;
}

static void resolver_init(struct resolver* r, const char* host, struct multi* m) {
  pthread_mutex_init(&r->mutex, NULL);
  r->done = 0;
  snprintf(r->host, sizeof r->host, "%s", host);
  r->wake = multi_wake;
  r->multi = m;
}

static int resolver_done(struct resolver* r, unsigned* address) {
  int done;

  pthread_mutex_lock(&r->mutex);
  done = r->done;
  *address = r->address;
  pthread_mutex_unlock(&r->mutex);
  return done;
}

/* The handle goes back to the pool, blank. */
static void resolver_destroy(struct resolver* r) {
  pthread_mutex_destroy(&r->mutex);
  memset(r, 0, sizeof *r);
}

static struct resolver handles[TRANSFERS];

static unsigned perform(struct multi* m) {
  int active[TRANSFERS] = {1, 1}, left = TRANSFERS;
  unsigned address, all = 0;

  for (;;) {
    for (int i = 0; i < TRANSFERS; i++)
      if (active[i] && resolver_done(&handles[i], &address)) {
        all ^= address;
        resolver_destroy(&handles[i]);
        active[i] = 0;
        left--;
      }
    if (left == 0) return all;
    multi_wait(m);
  }
}

int main(void) {
  static const char* const hosts[TRANSFERS] = {"www.example.org", "ftp.example.net"};
  struct multi m = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0};
  pthread_t threads[TRANSFERS];
  unsigned all;

  for (int i = 0; i < TRANSFERS; i++) {
    resolver_init(&handles[i], hosts[i], &m);
    pthread_create(&threads[i], NULL, resolver_main, &handles[i]);
  }
  all = perform(&m);
  for (int i = 0; i < TRANSFERS; i++) pthread_join(threads[i], NULL);
  printf("addresses %08x\n", all);
  return all == (look_up(hosts[0]) ^ look_up(hosts[1])) ? 0 : 1;
}
