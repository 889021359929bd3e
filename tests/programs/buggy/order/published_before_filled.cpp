// WHAT    A message is announced before it is written.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   order violation|atomicity
// MIN_PREEMPTIONS 1
// DECISIVE send, receive
#include <atomic>
#include <cstdio>
#include <thread>

namespace {

std::atomic<int> message{0};
std::atomic<bool> announced{false};
std::atomic<int> received{0};

void send() {
  announced = true;
  message = 5;
}

void receive() {
  while (!announced) std::this_thread::yield();
  received = message.load();
}

}  // namespace

int main() {
  std::thread receiver(receive), sender(send);
  receiver.join();
  sender.join();
  if (received == 5) return 0;
  std::fprintf(stderr, "an empty message was received\n");
  return 1;
}
