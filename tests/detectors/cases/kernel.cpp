// What the kernel orders or ends: bytes in pipes, sockets and counters, an owner that died, memory used again.
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <condition_variable>
#include <memory>
#include <mutex>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

int ends[2];
int handed = 0;
int beside = 0;

void put() {
  handed = 1;
  if (write(ends[1], "x", 1) != 1) abort();
}
void take() {
  char byte;
  if (read(ends[0], &byte, 1) != 1) abort();
  handed++;
}

// CASE   through_a_pipe
// FINDS  nothing
void through_a_pipe() {
  if (pipe(ends) != 0) abort();
  both(put, take);
}

// CASE   through_lines_on_a_pipe
// FINDS  nothing
void through_lines_on_a_pipe() {
  if (pipe(ends) != 0) abort();
  both(
      [] {
        FILE* const to = fdopen(ends[1], "w");
        handed = 1;
        fprintf(to, "one %d\n", handed);
        fflush(to);
      },
      [] {
        FILE* const from = fdopen(ends[0], "r");
        char line[32];
        if (fgets(line, sizeof line, from) == nullptr) abort();
        handed++;
      });
}

// CASE   through_a_socket
// FINDS  nothing
void through_a_socket() {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) abort();
  both(put, take);
}

// CASE   through_an_eventfd
// FINDS  nothing
void through_an_eventfd() {
  const int counter = eventfd(0, 0);
  const int set = epoll_create1(0);
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  epoll_ctl(set, EPOLL_CTL_ADD, counter, &wanted);
  both(
      [&] {
        handed = 1;
        const uint64_t one = 1;
        if (write(counter, &one, sizeof one) != sizeof one) abort();
      },
      [&] {
        epoll_event event;
        uint64_t value;
        if (epoll_wait(set, &event, 1, -1) != 1) abort();
        if (read(counter, &value, sizeof value) != sizeof value) abort();
        handed++;
      });
}

// CASE   written_after_the_byte
// FINDS  race beside
void written_after_the_byte() {
  if (pipe(ends) != 0) abort();
  both(
      [] {
        put();
        beside = 1;
      },
      [] {
        take();
        beside++;
      });
}

// CASE   owner_died
// FINDS  nothing
void owner_died() {
  static pthread_mutex_t mutex;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  const auto lock = [] {
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD) pthread_mutex_consistent(&mutex);
    handed++;
  };
  both(lock, [&] {
    lock();
    pthread_mutex_unlock(&mutex);
  });
}

int ask(int question) {
  std::mutex mutex;
  std::condition_variable answered;
  int answer = 0;
  std::thread other([&] {
    const std::lock_guard guard(mutex);
    answer = question * 2;
    answered.notify_one();
  });
  {
    std::unique_lock guard(mutex);
    answered.wait(guard, [&] { return answer != 0; });
  }
  other.join();
  return answer;
}

// CASE   a_condition_on_the_same_stack_again
// FINDS  nothing
void a_condition_on_the_same_stack_again() {
  if (ask(1) + ask(2) != 6) abort();
}

struct Desk {
  std::mutex mutex;
  std::condition_variable done;
  bool is_done = false;
};

// CASE   a_condition_in_the_same_block_again
// FINDS  nothing
void a_condition_in_the_same_block_again() {
  for (int i = 0; i < 2; i++) {
    const auto desk = std::make_unique<Desk>();
    both(
        [&] {
          const std::lock_guard guard(desk->mutex);
          desk->is_done = true;
          desk->done.notify_one();
        },
        [&] {
          std::unique_lock guard(desk->mutex);
          desk->done.wait(guard, [&] { return desk->is_done; });
        });
  }
}

int counted() {
  pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
  int count = 0;
  const auto add = [&] {
    pthread_mutex_lock(&own);
    count++;
    pthread_mutex_unlock(&own);
  };
  both(add, add);
  pthread_mutex_destroy(&own);
  return count;
}

// CASE   an_initialiser_after_destroy
// FINDS  nothing
void an_initialiser_after_destroy() {
  if (counted() + counted() != 4) abort();
}

}  // namespace cases

int main(int count, char** words) {
  using namespace cases;
  constexpr Case kCases[] = {
      {"through_a_pipe", through_a_pipe},
      {"through_lines_on_a_pipe", through_lines_on_a_pipe},
      {"through_a_socket", through_a_socket},
      {"through_an_eventfd", through_an_eventfd},
      {"written_after_the_byte", written_after_the_byte},
      {"owner_died", owner_died},
      {"a_condition_on_the_same_stack_again", a_condition_on_the_same_stack_again},
      {"a_condition_in_the_same_block_again", a_condition_in_the_same_block_again},
      {"an_initialiser_after_destroy", an_initialiser_after_destroy},
  };
  return run_case(kCases, count, words);
}
