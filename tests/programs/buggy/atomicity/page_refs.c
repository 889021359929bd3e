// WHAT    The reference count of a page is changed by a load and a store; a change that is lost
//         lets the count reach zero while the owner still holds its reference, and the owner then
//         releases the page a second time.
// EXPECT  failure crash
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 2
// DECISIVE pin, pin|pin, unpin
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

struct page {
  atomic_int refs;
  atomic_bool released;
  atomic_int reads;
};

static void pin(struct page* page) {
  int refs = atomic_load(&page->refs);
  atomic_store(&page->refs, refs + 1);
}

static void unpin(struct page* page) {
  assert(!atomic_load(&page->released));
  int refs = atomic_load(&page->refs) - 1;
  atomic_store(&page->refs, refs);
  if (refs == 0) atomic_store(&page->released, true);  // back to the allocator
}

static void* scan(void* arg) {
  struct page* page = arg;
  pin(page);
  atomic_fetch_add(&page->reads, 1);
  unpin(page);
  return NULL;
}

int main(void) {
  struct page page;
  atomic_init(&page.refs, 1);  // the owner's
  atomic_init(&page.released, false);
  atomic_init(&page.reads, 0);
  pthread_t one, two;
  pthread_create(&one, NULL, scan, &page);
  pthread_create(&two, NULL, scan, &page);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  unpin(&page);
  printf("%d reads\n", atomic_load(&page.reads));
  return 0;
}
