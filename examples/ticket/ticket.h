// The ticket algorithm as the students of Fiedor et al. (2014, §4.3) were asked to write it: a thread draws the next ticket,
// rests a little, waits for its number, does its part, lets the next number in and rests again. This monitor is correct;
// each program adds one mistake of its own around it.
#ifndef TICKET_H
#define TICKET_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Ten threads that share thirty tickets and rest for up to half a second, so a run takes about two.
#ifndef TICKET_THREADS
#define TICKET_THREADS 10
#define TICKET_TICKETS 30
#endif
enum { kThreads = TICKET_THREADS, kTickets = TICKET_TICKETS, kLongestRest = 500000000 /* ns */ };

static pthread_mutex_t monitor = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t advanced = PTHREAD_COND_INITIALIZER;
static int next_ticket;
static int allowed;  // the ticket whose owner may enter

static inline int draw_ticket(void) {
  pthread_mutex_lock(&monitor);
  const int ticket = next_ticket++;
  pthread_mutex_unlock(&monitor);
  return ticket;
}

static inline void await_turn(int ticket) {
  pthread_mutex_lock(&monitor);
  while (allowed != ticket) pthread_cond_wait(&advanced, &monitor);
  pthread_mutex_unlock(&monitor);
}

static inline void advance(void) {
  pthread_mutex_lock(&monitor);
  allowed++;
  pthread_cond_broadcast(&advanced);
  pthread_mutex_unlock(&monitor);
}

// Random lengths, from a generator that every thread has for itself.
static inline long random_rest(unsigned* seed) { return rand_r(seed) % kLongestRest; }

static inline void rest(unsigned* seed) {
  const struct timespec length = {0, random_rest(seed)};
  nanosleep(&length, NULL);
}

static inline void start_all(pthread_t* threads, void* (*work)(void*)) {
  for (long i = 0; i < kThreads; i++) {
    if (pthread_create(&threads[i], NULL, work, (void*)i) != 0) abort();
  }
}

static inline void join_all(const pthread_t* threads) {
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
}

#endif
