// Descriptors, children, file locks and cancellation: what blocks in the kernel, with the results the kernel gives.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

namespace {

int g_pipe[2];

void descriptors() {
  CHECK(pipe(g_pipe) == 0);
  pollfd poll_one{g_pipe[0], POLLIN, 0};
  CHECK(poll(&poll_one, 1, 10) == 0);
  timespec short_time{0, 5'000'000};
  CHECK(ppoll(&poll_one, 1, &short_time, nullptr) == 0);
  CHECK(poll(nullptr, 0, 5) == 0);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(g_pipe[0], &set);
  timeval tenth{0, 5000};
  CHECK(select(g_pipe[0] + 1, &set, nullptr, nullptr, &tenth) == 0 && !FD_ISSET(g_pipe[0], &set));
  const int epoll = epoll_create1(0);
  epoll_event event{};
  event.events = EPOLLIN;
  CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, g_pipe[0], &event) == 0);
  CHECK(epoll_wait(epoll, &event, 1, 5) == 0);

  pthread_t writer;
  pthread_create(
      &writer, nullptr,
      [](void*) -> void* {
        usleep(5000);
        CHECK(write(g_pipe[1], "abc", 3) == 3);
        return nullptr;
      },
      nullptr);
  char buffer[8];
  CHECK(read(g_pipe[0], buffer, sizeof buffer) == 3 && memcmp(buffer, "abc", 3) == 0);
  pthread_join(writer, nullptr);

  char left[2], right[2];
  iovec out[2] = {{buffer, 2}, {buffer + 2, 1}};
  CHECK(writev(g_pipe[1], out, 2) == 3);
  CHECK(poll(&poll_one, 1, -1) == 1 && epoll_wait(epoll, &event, 1, -1) == 1);
  FD_SET(g_pipe[0], &set);
  CHECK(select(g_pipe[0] + 1, &set, nullptr, nullptr, nullptr) == 1 && FD_ISSET(g_pipe[0], &set));
  iovec in[2] = {{left, 2}, {right, 2}};
  CHECK(readv(g_pipe[0], in, 2) == 3 && left[0] == 'a' && right[0] == 'c');
  CHECK(fcntl(g_pipe[0], F_SETFL, O_NONBLOCK) == 0);
  CHECK(read(g_pipe[0], buffer, 1) == -1 && errno == EAGAIN);
  CHECK(fcntl(g_pipe[0], F_SETFL, 0) == 0);
  CHECK(read(-1, buffer, 1) == -1 && errno == EBADF);
  close(epoll);

  const int counter = eventfd(2, 0);
  eventfd_t value = 0;
  CHECK(eventfd_write(counter, 3) == 0 && eventfd_read(counter, &value) == 0 && value == 5);
  close(counter);
}

void sockets() {
  int pair[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  const timeval timeout{0, 10000};
  CHECK(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) == 0);
  char buffer[4];
  CHECK(recv(pair[0], buffer, 4, 0) == -1 && errno == EAGAIN);
  CHECK(recv(pair[0], buffer, 4, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  CHECK(send(pair[1], "hi", 2, 0) == 2 && recv(pair[0], buffer, 4, 0) == 2);
  iovec part{buffer, 2};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  CHECK(sendmsg(pair[1], &message, 0) == 2 && recvmsg(pair[0], &message, 0) == 2);
  CHECK(sendto(pair[1], "x", 1, 0, nullptr, 0) == 1);
  CHECK(recvfrom(pair[0], buffer, 4, 0, nullptr, nullptr) == 1 && buffer[0] == 'x');
  close(pair[0]);
  close(pair[1]);
}

void children() {
  int status = 0;
  pid_t child = fork();
  if (child == 0) _exit(7);
  CHECK(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
  child = fork();
  if (child == 0) _exit(0);
  siginfo_t info{};
  CHECK(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED) == 0 && info.si_pid == child);
  CHECK(wait(&status) == -1 && errno == ECHILD);
  CHECK(WEXITSTATUS(system("exit 3")) == 3);
}

void file_locks() {
  char path[] = "blocking_calls_XXXXXX";
  const int file = mkstemp(path);
  const int again = open(path, O_RDWR);
  CHECK(file >= 0 && again >= 0);
  CHECK(flock(file, LOCK_EX) == 0 && flock(again, LOCK_EX | LOCK_NB) == -1 && errno == EWOULDBLOCK);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  CHECK(fcntl(file, F_SETLKW, &lock) == 0);
  unlink(path);
  close(file);
  close(again);
}

void time_and_system_calls() {
  timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  const timespec request{0, 3'000'000};
  CHECK(nanosleep(&request, nullptr) == 0 && usleep(1000) == 0 && sleep(0) == 0);
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &request, nullptr) == 0);
  const timespec bad{0, 2'000'000'000};
  errno = 0;
  CHECK(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, nullptr) == EINVAL && errno == 0);
  CHECK(nanosleep(&bad, nullptr) == -1 && errno == EINVAL);
  clock_gettime(CLOCK_MONOTONIC, &after);
  const long passed =
      (after.tv_sec - before.tv_sec) * 1'000'000'000 + after.tv_nsec - before.tv_nsec;
  CHECK(passed >= 7'000'000);
  timeval day;
  CHECK(gettimeofday(&day, nullptr) == 0);
  CHECK(labs(static_cast<long>(time(nullptr) - day.tv_sec)) <= 1);
  CHECK(syscall(SYS_gettid) == gettid());
  CHECK(syscall(SYS_sched_yield) == 0);
  int word = 1;
  errno = 0;
  CHECK(syscall(SYS_futex, &word, 0 /* FUTEX_WAIT */, 0, nullptr, nullptr, 0) == -1 &&
        errno == EAGAIN);
  CHECK(syscall(SYS_futex, &word, 1 /* FUTEX_WAKE */, 1, nullptr, nullptr, 0) == 0);
  CHECK(syscall(-1) == -1 && errno == ENOSYS);
  char* const here = realpath(".", nullptr);  // the oldest version of it refuses null
  CHECK(here != nullptr);
  free(here);
}

// Unwinding by cancellation passes through our entry points and runs destructors on the way.
struct Noticed {
  int* count;
  ~Noticed() { ++*count; }
};

template <class Block>
void is_cancelled_in(Block block) {
  struct Shared {
    Block block;
    int unwound = 0;
  } shared{block};
  pthread_t thread;
  CHECK(pthread_create(
            &thread, nullptr,
            [](void* argument) -> void* {
              auto* const mine = static_cast<Shared*>(argument);
              const Noticed noticed{&mine->unwound};
              mine->block();
              return nullptr;
            },
            &shared) == 0);
  usleep(5000);
  CHECK(pthread_cancel(thread) == 0);
  void* result = nullptr;
  CHECK(pthread_join(thread, &result) == 0 && result == PTHREAD_CANCELED);
  CHECK(shared.unwound == 1);
}

void cancellation() {
  is_cancelled_in([] { sleep(100); });
  is_cancelled_in([] {
    char c;
    CHECK(read(g_pipe[0], &c, 1) == -2);
  });
  is_cancelled_in([] {
    pollfd one{g_pipe[0], POLLIN, 0};
    poll(&one, 1, -1);
  });
  is_cancelled_in([] { pause(); });
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
  is_cancelled_in([] {
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push([](void*) { pthread_mutex_unlock(&mutex); }, nullptr);
    for (;;) pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(0);
  });
  CHECK(pthread_mutex_trylock(&mutex) == 0);
}

}  // namespace

int main() {
  alarm(60);
  descriptors();
  sockets();
  children();
  file_locks();
  time_and_system_calls();
  cancellation();
  puts("ok");
}
