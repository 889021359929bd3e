// Threads of one process that talk through pipes, sockets and event counters only. Under control nobody may wait in the
// kernel for somebody who is not allowed to run.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "check.h"

namespace {

struct Channel {
  int read_end;
  int write_end;
};
Channel make_pipe() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  return {ends[0], ends[1]};
}

// Stage by stage, each adds one; a pipe holds one token at a time.
void a_ring_of_threads() {
  constexpr int kThreads = 4;
  constexpr int kLaps = 5;
  std::vector<Channel> pipes;
  for (int i = 0; i < kThreads; ++i) pipes.push_back(make_pipe());
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        for (int lap = 0; lap < kLaps; ++lap) {
          int token;
          CHECK(read(pipes[i].read_end, &token, sizeof token) == sizeof token);
          ++token;
          if (i + 1 == kThreads && lap + 1 == kLaps) {
            CHECK(token == kThreads * kLaps);
            return;
          }
          CHECK(write(pipes[(i + 1) % kThreads].write_end, &token, sizeof token) == sizeof token);
        }
      });
    const int start = 0;
    CHECK(write(pipes[0].write_end, &start, sizeof start) == sizeof start);
  }
}

// More than a pipe holds, so that the writer has to wait for the reader in the middle of one call.
void a_large_write() {
  const Channel channel = make_pipe();
  constexpr std::size_t kSize = 300'000;
  std::jthread writer([&] {
    const std::vector<char> data(kSize, 'x');
    CHECK(write(channel.write_end, data.data(), kSize) == static_cast<ssize_t>(kSize));
    close(channel.write_end);
  });
  std::size_t sum = 0;
  char buffer[4096];
  for (ssize_t got; (got = read(channel.read_end, buffer, sizeof buffer)) > 0;)
    sum += static_cast<std::size_t>(got);
  CHECK(sum == kSize);
}

// Asks again and again instead of waiting.
void a_busy_reader() {
  const Channel channel = make_pipe();
  CHECK(fcntl(channel.read_end, F_SETFL, O_NONBLOCK) == 0);
  std::jthread writer([&] { CHECK(write(channel.write_end, "x", 1) == 1); });
  char byte;
  while (read(channel.read_end, &byte, 1) < 0) CHECK(errno == EAGAIN);
  std::jthread again([&] { CHECK(write(channel.write_end, "y", 1) == 1); });
  pollfd one{channel.read_end, POLLIN, 0};
  while (poll(&one, 1, 0) == 0) {
  }
  CHECK(read(channel.read_end, &byte, 1) == 1 && byte == 'y');
}

void one_of_many() {
  const Channel first = make_pipe();
  int pair[2];
  CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
  const int counter = eventfd(0, 0);
  std::jthread sender([&] {
    CHECK(send(pair[1], "s", 1, 0) == 1);
    CHECK(eventfd_write(counter, 1) == 0);
    CHECK(write(first.write_end, "p", 1) == 1);
  });
  pollfd all[] = {
      {first.read_end, POLLIN, 0}, {pair[0], POLLIN, 0}, {counter, POLLIN, 0}, {-1, 0, 0}};
  int seen = 0;
  while (seen != 7) {
    CHECK(poll(all, 4, -1) > 0);
    for (int i = 0; i < 3; ++i)
      if ((all[i].revents & POLLIN) != 0) {
        char buffer[8];
        CHECK(read(all[i].fd, buffer, i == 2 ? 8 : 1) > 0);
        seen |= 1 << i;
      }
  }
}

void an_event_loop() {
  const int set = epoll_create1(0);
  const int counter = eventfd(0, EFD_SEMAPHORE);
  epoll_event event{};
  event.events = EPOLLIN;
  CHECK(epoll_ctl(set, EPOLL_CTL_ADD, counter, &event) == 0);
  std::vector<std::jthread> senders;
  for (int i = 0; i < 3; ++i) senders.emplace_back([&] { CHECK(eventfd_write(counter, 2) == 0); });
  for (int got = 0; got < 6; ++got) {
    CHECK(epoll_wait(set, &event, 1, -1) == 1);
    eventfd_t value;
    CHECK(eventfd_read(counter, &value) == 0 && value == 1);
  }
}

}  // namespace

int main() {
  a_ring_of_threads();
  a_large_write();
  a_busy_reader();
  one_of_many();
  an_event_loop();
  puts("ok");
}
