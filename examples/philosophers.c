// philosophers: the dining philosophers of ConTest (Edelstein et al., 2002; six of them as in
// Fiedor et al., 2018).
//
// The paper  Every philosopher runs the same symmetric algorithm: take the left fork, take the
//            right fork, eat, put both back. No deadlock in a quarter of an hour unseeded; almost
//            at once, every time, with sleep().
// The bug    All philosophers can hold their left fork and wait for their right one.
// It fails   by a deadlock of all philosophers.
#include <pthread.h>
#include <stdio.h>

enum { kPhilosophers = 6, kMeals = 3 };

static pthread_mutex_t forks[kPhilosophers];
static int meals[kPhilosophers];

static void* dine(void* argument) {
  const int seat = (int)(long)argument;
  pthread_mutex_t* left = &forks[seat];
  pthread_mutex_t* right = &forks[(seat + 1) % kPhilosophers];
  for (int i = 0; i < kMeals; i++) {
    pthread_mutex_lock(left);
    pthread_mutex_lock(right);
    meals[seat]++;
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
  }
  return NULL;
}

int main(void) {
  pthread_t philosophers[kPhilosophers];
  for (int i = 0; i < kPhilosophers; i++) pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < kPhilosophers; i++) pthread_create(&philosophers[i], NULL, dine, (void*)i);
  for (int i = 0; i < kPhilosophers; i++) pthread_join(philosophers[i], NULL);
  for (int i = 0; i < kPhilosophers; i++) {
    if (meals[i] != kMeals) {
      fprintf(stderr, "philosophers: number %d ate %d of %d meals\n", i, meals[i], kMeals);
      return 1;
    }
  }
  puts("everyone has eaten");
  return 0;
}
