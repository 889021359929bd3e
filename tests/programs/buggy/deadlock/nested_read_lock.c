// WHAT    A registry's scan holds a read lock that lets waiting writers go first, and takes it
//         again for every dependency it looks up; a writer that comes between the two waits for the
//         scan, and the scan for the writer.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 1
// DECISIVE rd_lock, wr_lock|registry_find, registry_add|registry_scan, registry_add
#include <pthread.h>
#include <stdio.h>
#include <string.h>

struct rwlock {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int readers;
  int writing;
  int writers_waiting;
};

static void rd_lock(struct rwlock* l) {
  pthread_mutex_lock(&l->mutex);
  while (l->writing || l->writers_waiting > 0) pthread_cond_wait(&l->changed, &l->mutex);
  l->readers++;
  pthread_mutex_unlock(&l->mutex);
}

static void rd_unlock(struct rwlock* l) {
  pthread_mutex_lock(&l->mutex);
  if (--l->readers == 0) pthread_cond_broadcast(&l->changed);
  pthread_mutex_unlock(&l->mutex);
}

static void wr_lock(struct rwlock* l) {
  pthread_mutex_lock(&l->mutex);
  l->writers_waiting++;
  while (l->writing || l->readers > 0) pthread_cond_wait(&l->changed, &l->mutex);
  l->writers_waiting--;
  l->writing = 1;
  pthread_mutex_unlock(&l->mutex);
}

static void wr_unlock(struct rwlock* l) {
  pthread_mutex_lock(&l->mutex);
  l->writing = 0;
  pthread_cond_broadcast(&l->changed);
  pthread_mutex_unlock(&l->mutex);
}

struct type_info {
  const char* name;
  const char* parent;
};

static struct rwlock registry_lock = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, 0};
static struct type_info registry[16] = {
    {"object", NULL},
    {"widget", "object"},
    {"button", "widget"},
};
static int registered = 3;

static int registry_find(const char* name) {
  int found = -1;

  rd_lock(&registry_lock);
  for (int i = 0; i < registered; i++)
    if (strcmp(registry[i].name, name) == 0) found = i;
  rd_unlock(&registry_lock);
  return found;
}

static void registry_add(const char* name, const char* parent) {
  wr_lock(&registry_lock);
  registry[registered].name = name;
  registry[registered].parent = parent;
  registered++;
  wr_unlock(&registry_lock);
}

/* How many types have a parent that is registered. */
static int registry_scan(void) {
  int derived = 0;

  rd_lock(&registry_lock);
  for (int i = 0; i < registered; i++)
    if (registry[i].parent && registry_find(registry[i].parent) >= 0) derived++;
  rd_unlock(&registry_lock);
  return derived;
}

static void* scanner(void* result) {
  *(int*)result = registry_scan();
  return NULL;
}

static void* loader(void* arg) {
  (void)arg;
  registry_add("entry", "widget");
  registry_add("label", "widget");
  return NULL;
}

int main(void) {
  pthread_t scan[2], load;
  int derived[2] = {0, 0};

  pthread_create(&scan[0], NULL, scanner, &derived[0]);
  pthread_create(&load, NULL, loader, NULL);
  pthread_create(&scan[1], NULL, scanner, &derived[1]);
  pthread_join(scan[0], NULL);
  pthread_join(load, NULL);
  pthread_join(scan[1], NULL);
  printf("derived types seen: %d and %d\n", derived[0], derived[1]);
  return derived[0] < 2 || derived[1] < 2;
}
