// WHAT    Two writers share a sequence lock without a writers' lock, as each writes a slot of its
//         own, and add to the sequence by a load and a store; one addition can get lost and leave
//         it odd, and readers retry for ever.
// EXPECT  failure livelock
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   livelock
// MIN_PREEMPTIONS 2
// DECISIVE advance, advance|begin_write, begin_write|end_write, end_write|begin_write, end_write|record, record
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <thread>

namespace {

struct Slot {
  std::atomic<long> requests{0};
  std::atomic<long> bytes{0};
};

struct Totals {
  long requests = 0;
  long bytes = 0;
};

class Stats {
 public:
  // Called by the thread the slot belongs to.
  void record(std::size_t slot, long bytes) {
    Slot& mine = slots_[slot];
    begin_write();
    mine.requests.store(mine.requests.load(std::memory_order_relaxed) + 1,
                        std::memory_order_relaxed);
    mine.bytes.store(mine.bytes.load(std::memory_order_relaxed) + bytes, std::memory_order_relaxed);
    end_write();
  }

  Totals snapshot() const {
    for (;;) {
      const unsigned before = sequence_.load();
      if ((before & 1) == 0) {
        Totals totals = add_up();
        if (sequence_.load() == before) {
          return totals;
        }
      }
      std::this_thread::yield();
    }
  }

  Totals add_up() const {
    Totals totals;
    for (const Slot& slot : slots_) {
      totals.requests += slot.requests.load();
      totals.bytes += slot.bytes.load();
    }
    return totals;
  }

 private:
  void begin_write() { advance(); }
  void end_write() { advance(); }

  void advance() {
    const unsigned now = sequence_.load();
    sequence_.store(now + 1);
  }

  std::atomic<unsigned> sequence_{0};
  std::array<Slot, 2> slots_;
};

void serve(Stats& stats, std::size_t slot) {
  for (int request = 1; request <= 2; ++request) {
    stats.record(slot, 100 * request);
  }
}

void report(const Stats& stats) {
  Totals totals = stats.snapshot();
  std::printf("so far %ld requests, %ld bytes\n", totals.requests, totals.bytes);
}

}  // namespace

int main() {
  Stats stats;
  std::thread first([&] { serve(stats, 0); });
  std::thread second([&] { serve(stats, 1); });
  std::thread reporter([&] { report(stats); });
  first.join();
  second.join();
  reporter.join();

  Totals totals = stats.add_up();
  std::printf("in all %ld requests, %ld bytes\n", totals.requests, totals.bytes);
  return totals.requests == 4 && totals.bytes == 600 ? 0 : 1;
}
