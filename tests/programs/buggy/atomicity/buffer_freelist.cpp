// WHAT    A lock-free free list of I/O buffers pops with a compare-and-swap on an untagged head; a
//         buffer taken and given back meanwhile lets the swap succeed with a stale successor, and
//         one buffer gets two owners.
// EXPECT  failure crash
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 2
// DECISIVE pop, push|pop, pop|transcode, transcode
#include <array>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

struct Buffer {
  std::atomic<Buffer*> next{nullptr};
  std::atomic<int> owner{0};
  char bytes[64] = {};
};

class FreeList {
 public:
  FreeList() {
    for (auto it = buffers_.rbegin(); it != buffers_.rend(); ++it) {
      push(&*it);
    }
  }

  Buffer* pop() {
    for (;;) {
      Buffer* top = head_.load();
      if (top == nullptr) {
        return nullptr;
      }
      Buffer* rest = top->next.load();
      if (head_.compare_exchange_strong(top, rest)) {
        return top;
      }
    }
  }

  void push(Buffer* buffer) {
    Buffer* top = head_.load();
    do {
      buffer->next.store(top);
    } while (!head_.compare_exchange_strong(top, buffer));
  }

 private:
  std::atomic<Buffer*> head_{nullptr};
  std::array<Buffer, 8> buffers_;
};

Buffer* take(FreeList& pool, int who) {
  Buffer* buffer = pool.pop();
  assert(buffer != nullptr && "more buffers than threads can hold");
  int before = buffer->owner.exchange(who);
  assert(before == 0 && "buffer already has an owner");
  (void)before;
  return buffer;
}

void give_back(FreeList& pool, Buffer* buffer, int who) {
  int before = buffer->owner.exchange(0);
  assert(before == who && "buffer changed hands");
  (void)before;
  (void)who;
  pool.push(buffer);
}

// Reads into one buffer, converts into the other.
void transcode(FreeList& pool, int who) {
  Buffer* input = take(pool, who);
  Buffer* output = take(pool, who);
  for (int i = 0; i < 64; ++i) {
    input->bytes[i] = static_cast<char>('a' + (who + i) % 26);
  }
  for (int i = 0; i < 64; ++i) {
    output->bytes[i] = static_cast<char>(input->bytes[i] - 'a' + 'A');
  }
  give_back(pool, input, who);
  give_back(pool, output, who);
}

}  // namespace

int main() {
  FreeList pool;
  std::vector<std::thread> workers;
  for (int who = 1; who <= 3; ++who) {
    workers.emplace_back([&pool, who] { transcode(pool, who); });
  }
  for (std::thread& worker : workers) {
    worker.join();
  }
  int left = 0;
  while (left <= 8 && pool.pop() != nullptr) {
    ++left;
  }
  std::printf("%d buffers back\n", left);
  assert(left == 8);
  return 0;
}
