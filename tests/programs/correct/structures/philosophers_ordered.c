// WHAT    Dining philosophers who take the lower-numbered fork first.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <assert.h>
#include <pthread.h>

enum { kPhilosophers = 4, kMeals = 2 };

static pthread_mutex_t forks[kPhilosophers];
static int meals[kPhilosophers];

static void* dine(void* argument) {
  const int seat = (int)(long)argument, neighbour = (seat + 1) % kPhilosophers;
  const int first = seat < neighbour ? seat : neighbour,
            second = seat < neighbour ? neighbour : seat;
  for (int i = 0; i < kMeals; i++) {
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[seat]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[kPhilosophers];
  for (int i = 0; i < kPhilosophers; i++) pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < kPhilosophers; i++) pthread_create(&threads[i], NULL, dine, (void*)i);
  for (int i = 0; i < kPhilosophers; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < kPhilosophers; i++) assert(meals[i] == kMeals);
  return 0;
}
