// WHAT    One thread takes a session from a table and looks at it; another closes the session meanwhile, and frees it.
// EXPECT  failure crash   sites use_session
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE close_session, use_session
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct session {
  struct session* next;
  long number;  // glibc's free() writes there
};

static _Atomic(struct session*) current;

static void* use_session(void* unused) {
  const struct session* session = atomic_load(&current);
  if (session != NULL) assert(session->number == 7);
  return unused;
}

static void* close_session(void* unused) {
  struct session* session = atomic_exchange(&current, NULL);
  free(session);
  return unused;
}

int main(void) {
  struct session* session = malloc(sizeof *session);
  session->next = NULL;
  session->number = 7;
  current = session;
  pthread_t user, closer;
  pthread_create(&user, NULL, use_session, NULL);
  pthread_create(&closer, NULL, close_session, NULL);
  pthread_join(user, NULL);
  pthread_join(closer, NULL);
  return 0;
}
