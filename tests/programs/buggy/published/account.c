// WHAT    A deposit, a withdrawal and a check, each under the lock; the check expects an order
//         nobody ensures.
// EXPECT  failure crash   sites check_result
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   order violation
// MIN_PREEMPTIONS 0
// DECISIVE check_result, withdraw|check_result, deposit
// PUBLISHED account
// BUILD   -O0
// ORIGIN  SCTBench CS.account: three threads, created checker first.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int initial, deposited, withdrawn, balance;
static bool deposit_done, withdraw_done;

static void* deposit(void* unused) {
  pthread_mutex_lock(&lock);
  balance = balance + deposited;
  deposit_done = true;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* withdraw(void* unused) {
  pthread_mutex_lock(&lock);
  balance = balance - withdrawn;
  withdraw_done = true;
  pthread_mutex_unlock(&lock);
  return unused;
}

static void* check_result(void* unused) {
  pthread_mutex_lock(&lock);
  if (deposit_done && withdraw_done) assert(balance == initial - deposited - withdrawn);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  initial = 1;
  deposited = 2;
  withdrawn = 4;
  balance = initial;
  pthread_t checker, depositor, withdrawer;
  pthread_create(&checker, NULL, check_result, NULL);
  pthread_create(&depositor, NULL, deposit, NULL);
  pthread_create(&withdrawer, NULL, withdraw, NULL);
  pthread_join(withdrawer, NULL);
  pthread_join(depositor, NULL);
  pthread_join(checker, NULL);
  return 0;
}
