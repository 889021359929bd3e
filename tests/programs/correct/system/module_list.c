// WHAT    A function that is called for every loaded module, which the loader does with its list locked,
//         waits for a lock; whoever holds that uses memory that has no name.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// CONTROL whole
#define _GNU_SOURCE
#include <assert.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

enum { kWords = 64, kRounds = 3 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int* words;
static int modules;

static int count(struct dl_phdr_info* info, size_t size, void* unused) {
  (void)info, (void)size, (void)unused;
  pthread_mutex_lock(&mutex);
  modules++;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void* use_words(void* unused) {
  for (int round = 0; round < kRounds; round++) {
    pthread_mutex_lock(&mutex);
    for (int i = 0; i < kWords; i += 8) words[i]++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  words = mmap(NULL, kWords * sizeof *words, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
               -1, 0);
  assert(words != MAP_FAILED);
  pthread_t thread;
  pthread_create(&thread, NULL, use_words, NULL);
  dl_iterate_phdr(count, NULL);
  pthread_join(thread, NULL);
  assert(words[0] == kRounds && modules > 2);
  return 0;
}
