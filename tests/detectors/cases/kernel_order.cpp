// What the kernel orders without a byte being read: descriptors that are reported, ends of file, signals, semaphores, messages;
// and waits that end otherwise than by a signal.
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

int ends[2];
int handed = 0;
int beside = 0;

void must(bool holds) {
  if (!holds) abort();
}

void put() {
  handed = 1;
  must(write(ends[1], "x", 1) == 1);
}

struct Station {
  int counter = eventfd(1, 0);
  int number = 0;
};

// CASE   put_into_a_set
// FINDS  nothing
void put_into_a_set() {
  const int set = epoll_create1(0);
  both(
      [&] {
        auto* const station = new Station;
        station->number = 42;
        epoll_event wanted{};
        wanted.events = EPOLLIN;
        wanted.data.ptr = station;
        must(epoll_ctl(set, EPOLL_CTL_ADD, station->counter, &wanted) == 0);
      },
      [&] {
        epoll_event event;
        must(epoll_wait(set, &event, 1, -1) == 1);
        auto* const station = static_cast<Station*>(event.data.ptr);
        must(station->number++ == 42);
        delete station;
      });
}

// CASE   changed_in_a_set
// FINDS  nothing
void changed_in_a_set() {
  const int set = epoll_create1(0);
  const int counter = eventfd(1, 0);
  epoll_event none{};
  must(epoll_ctl(set, EPOLL_CTL_ADD, counter, &none) == 0);
  both(
      [&] {
        handed = 1;
        epoll_event wanted{};
        wanted.events = EPOLLIN;
        must(epoll_ctl(set, EPOLL_CTL_MOD, counter, &wanted) == 0);
      },
      [&] {
        epoll_event event;
        must(epoll_wait(set, &event, 1, -1) == 1);
        handed++;
      });
}

// CASE   reported_by_a_set_in_a_set
// FINDS  nothing
void reported_by_a_set_in_a_set() {
  must(pipe(ends) == 0);
  const int inner = epoll_create1(0);
  const int outer = epoll_create1(0);
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  must(epoll_ctl(inner, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  must(epoll_ctl(outer, EPOLL_CTL_ADD, inner, &wanted) == 0);
  both(put, [&] {
    epoll_event event;
    must(epoll_wait(outer, &event, 1, -1) == 1);
    handed++;
  });
}

void await_by_poll() {
  pollfd entry{ends[0], POLLIN, 0};
  must(poll(&entry, 1, -1) == 1);
}

// CASE   reported_by_poll
// FINDS  nothing
void reported_by_poll() {
  must(pipe(ends) == 0);
  both(put, [] {
    await_by_poll();
    handed++;
  });
}

// CASE   written_after_the_report
// FINDS  race beside
void written_after_the_report() {
  must(pipe(ends) == 0);
  both(
      [] {
        put();
        beside = 1;
      },
      [] {
        await_by_poll();
        beside++;
      });
}

// CASE   reported_by_select
// FINDS  nothing
void reported_by_select() {
  must(pipe(ends) == 0);
  both(put, [] {
    fd_set wanted;
    FD_ZERO(&wanted);
    FD_SET(ends[0], &wanted);
    must(select(ends[0] + 1, &wanted, nullptr, nullptr, nullptr) == 1);
    handed++;
  });
}

void read_the_end() {
  char byte;
  must(read(ends[0], &byte, 1) == 0);
  handed++;
}

// CASE   end_of_a_pipe
// FINDS  nothing
void end_of_a_pipe() {
  must(pipe(ends) == 0);
  both(
      [] {
        handed = 1;
        close(ends[1]);
      },
      read_the_end);
}

// CASE   end_of_a_connection
// FINDS  nothing
void end_of_a_connection() {
  must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  both(
      [] {
        handed = 1;
        shutdown(ends[1], SHUT_WR);
      },
      read_the_end);
}

int semaphore;
void count(short by) {
  sembuf operation{0, by, 0};
  must(semop(semaphore, &operation, 1) == 0);
}

// CASE   system_v_semaphore
// FINDS  nothing
void system_v_semaphore() {
  semaphore = semget(IPC_PRIVATE, 1, 0600);
  both(
      [] {
        handed = 1;
        count(1);
      },
      [] {
        count(-1);
        handed++;
      });
  semctl(semaphore, 0, IPC_RMID);
}

// CASE   system_v_semaphore_at_zero
// FINDS  nothing
void system_v_semaphore_at_zero() {
  semaphore = semget(IPC_PRIVATE, 1, 0600);
  count(1);
  both(
      [] {
        handed = 1;
        count(-1);
      },
      [] {
        count(0);
        handed++;
      });
  semctl(semaphore, 0, IPC_RMID);
}

// CASE   system_v_semaphore_with_room_for_two
// FINDS  race handed
void system_v_semaphore_with_room_for_two() {
  semaphore = semget(IPC_PRIVATE, 1, 0600);
  count(2);
  const auto enter = [] {
    count(-1);
    handed++;
  };
  both(enter, enter);
  semctl(semaphore, 0, IPC_RMID);
}

// CASE   system_v_message
// FINDS  nothing
void system_v_message() {
  struct Message {
    long type;
    char text;
  };
  const int queue = msgget(IPC_PRIVATE, 0600);
  both(
      [&] {
        handed = 1;
        const Message message{1, 'x'};
        must(msgsnd(queue, &message, 1, 0) == 0);
      },
      [&] {
        Message message;
        must(msgrcv(queue, &message, 1, 0, 0) == 1);
        handed++;
      });
  msgctl(queue, IPC_RMID, nullptr);
}

// CASE   posix_message
// FINDS  nothing
void posix_message() {
  char name[64];
  snprintf(name, sizeof name, "/heddle-case-%d", getpid());
  mq_attr shape{};
  shape.mq_maxmsg = 4;
  shape.mq_msgsize = 8;
  const mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &shape);
  if (queue < 0) return;  // a system without them
  mq_unlink(name);
  both(
      [&] {
        handed = 1;
        must(mq_send(queue, "x", 1, 0) == 0);
      },
      [&] {
        char text[8];
        must(mq_receive(queue, text, sizeof text, nullptr) == 1);
        handed++;
      });
}

sigset_t block_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  return set;
}

// CASE   signal_to_the_process
// FINDS  nothing
void signal_to_the_process() {
  const sigset_t set = block_signals();
  both(
      [] {
        handed = 1;
        kill(getpid(), SIGUSR1);
      },
      [&] {
        int number = 0;
        must(sigwait(&set, &number) == 0);
        handed++;
      });
}

// CASE   signal_to_a_thread
// FINDS  nothing
void signal_to_a_thread() {
  static sigset_t set;
  set = block_signals();
  std::thread taker([] {
    must(sigwaitinfo(&set, nullptr) == SIGUSR1);
    handed++;
  });
  handed = 1;
  pthread_kill(taker.native_handle(), SIGUSR1);
  taker.join();
}

// CASE   signal_from_a_descriptor
// FINDS  nothing
void signal_from_a_descriptor() {
  const sigset_t set = block_signals();
  const int descriptor = signalfd(-1, &set, 0);
  both(
      [] {
        handed = 1;
        kill(getpid(), SIGUSR1);
      },
      [&] {
        signalfd_siginfo info;
        must(read(descriptor, &info, sizeof info) == sizeof info);
        handed++;
      });
}

void add_locked() {
  flockfile(stdout);
  flockfile(stdout);
  handed++;
  funlockfile(stdout);
  handed++;
  funlockfile(stdout);
}

// CASE   lock_of_a_stream
// FINDS  nothing
void lock_of_a_stream() { both(add_locked, add_locked); }

// CASE   lock_of_a_stream_that_one_forgets
// FINDS  race handed
void lock_of_a_stream_that_one_forgets() {
  both(add_locked, [] { handed++; });
}

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void leave(void*) {
  handed++;
  pthread_mutex_unlock(&mutex);
}

void* wait_for_ever(void*) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(leave, nullptr);
  handed++;
  for (;;) pthread_cond_wait(&changed, &mutex);
  pthread_cleanup_pop(1);
  return nullptr;
}

// The waiter is on its way out, and waits for the mutex, while main has it.
// CASE   cancelled_in_a_wait
// FINDS  nothing
void cancelled_in_a_wait() {
  pthread_t waiter;
  pthread_create(&waiter, nullptr, wait_for_ever, nullptr);
  for (bool waits = false; !waits; sched_yield()) {
    pthread_mutex_lock(&mutex);
    waits = handed != 0;
    pthread_mutex_unlock(&mutex);
  }
  pthread_mutex_lock(&mutex);
  pthread_cancel(waiter);
  for (int i = 0; i < 1000; i++) sched_yield();
  handed++;
  pthread_mutex_unlock(&mutex);
  pthread_join(waiter, nullptr);
}

volatile sig_atomic_t handled = 0;
bool told = false;

// CASE   handler_in_a_wait
// FINDS  nothing
void handler_in_a_wait() {
  signal(SIGUSR1, [](int) { handled = handled + 1; });
  std::thread waiter([] {
    pthread_mutex_lock(&mutex);
    while (!told) pthread_cond_wait(&changed, &mutex);
    handed++;
    pthread_mutex_unlock(&mutex);
  });
  pthread_kill(waiter.native_handle(), SIGUSR1);
  pthread_mutex_lock(&mutex);
  told = true;
  handed++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  waiter.join();
}

}  // namespace cases

int main(int count, char** words) {
  using namespace cases;
  constexpr Case kCases[] = {
      {"put_into_a_set", put_into_a_set},
      {"changed_in_a_set", changed_in_a_set},
      {"reported_by_a_set_in_a_set", reported_by_a_set_in_a_set},
      {"reported_by_poll", reported_by_poll},
      {"written_after_the_report", written_after_the_report},
      {"reported_by_select", reported_by_select},
      {"end_of_a_pipe", end_of_a_pipe},
      {"end_of_a_connection", end_of_a_connection},
      {"system_v_semaphore", system_v_semaphore},
      {"system_v_semaphore_at_zero", system_v_semaphore_at_zero},
      {"system_v_semaphore_with_room_for_two", system_v_semaphore_with_room_for_two},
      {"system_v_message", system_v_message},
      {"posix_message", posix_message},
      {"signal_to_the_process", signal_to_the_process},
      {"signal_to_a_thread", signal_to_a_thread},
      {"signal_from_a_descriptor", signal_from_a_descriptor},
      {"lock_of_a_stream", lock_of_a_stream},
      {"lock_of_a_stream_that_one_forgets", lock_of_a_stream_that_one_forgets},
      {"cancelled_in_a_wait", cancelled_in_a_wait},
      {"handler_in_a_wait", handler_in_a_wait},
  };
  return run_case(kCases, count, words);
}
