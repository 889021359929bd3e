// WHAT    A server keeps the date header of the last second it was asked for in a structure that
//         its workers read and fill without a lock; the second is there before its text is, and a
//         worker can send another second's date.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE cache_fill, cache_copy|cache_fill, cache_fill|cache_fill, recent_date|recent_date, recent_date
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define DATE_LENGTH 9
#define WORKERS 3

struct date_cache {
  long second;
  char text[DATE_LENGTH];
};

static struct date_cache cache = {0, "00:00:00"};

static void format_date(long second, char* text) {
  long hours = second / 3600 % 24, minutes = second / 60 % 60;

  text[0] = (char)('0' + hours / 10);
  text[1] = (char)('0' + hours % 10);
  text[2] = ':';
  text[3] = (char)('0' + minutes / 10);
  text[4] = (char)('0' + minutes % 10);
  text[5] = ':';
  text[6] = (char)('0' + second % 60 / 10);
  text[7] = (char)('0' + second % 60 % 10);
  text[8] = '\0';
}

static void cache_fill(long second) {
  cache.second = second;
  format_date(second, cache.text);
}

static void cache_copy(char* out) {
  for (int i = 0; i < DATE_LENGTH; i++) out[i] = cache.text[i];
}

static void recent_date(long second, char* out) {
  if (cache.second != second) cache_fill(second);
  cache_copy(out);
}

struct request {
  long second;
  char date[DATE_LENGTH];
};

static pthread_mutex_t queue_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct request requests[] = {
    {45296, ""}, {45296, ""}, {45296, ""}, {45357, ""}, {45357, ""}, {45357, ""},
};
static int next_request;

static struct request* next(void) {
  struct request* r = NULL;

  pthread_mutex_lock(&queue_mutex);
  if (next_request < (int)(sizeof requests / sizeof *requests)) r = &requests[next_request++];
  pthread_mutex_unlock(&queue_mutex);
  return r;
}

static void* worker(void* arg) {
  struct request* r;

  (void)arg;
  while ((r = next()) != NULL) recent_date(r->second, r->date);
  return NULL;
}

int main(void) {
  pthread_t workers[WORKERS];
  int wrong = 0;

  for (int i = 0; i < WORKERS; i++) pthread_create(&workers[i], NULL, worker, NULL);
  for (int i = 0; i < WORKERS; i++) pthread_join(workers[i], NULL);
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
    char expected[DATE_LENGTH];

    format_date(requests[i].second, expected);
    if (strcmp(requests[i].date, expected) != 0) {
      printf("request %zu: %s instead of %s\n", i, requests[i].date, expected);
      wrong++;
    }
  }
  printf("%d wrong dates\n", wrong);
  return wrong != 0;
}
