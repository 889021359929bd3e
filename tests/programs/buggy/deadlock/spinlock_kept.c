// WHAT    A spin lock is not released on the path of a failed check.
// EXPECT  failure deadlock   sites withdraw
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 0
// DECISIVE withdraw, deposit
#include <pthread.h>

static pthread_spinlock_t lock;
static int balance;

static void* deposit(void* unused) {
  pthread_spin_lock(&lock);
  balance += 10;
  pthread_spin_unlock(&lock);
  return unused;
}

static void* withdraw(void* unused) {
  pthread_spin_lock(&lock);
  if (balance < 10) return unused;
  balance -= 10;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t first, second;
  pthread_create(&first, NULL, deposit, NULL);
  pthread_create(&second, NULL, withdraw, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
