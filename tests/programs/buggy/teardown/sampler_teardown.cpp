// WHAT    A sampler's thread is a member declared before the sink it writes to; the implicit
//         destructor destroys the sink first and joins the thread after, so the thread can write to
//         a sink that is gone.
// EXPECT  failure crash
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   teardown
// MIN_PREEMPTIONS 1
// DECISIVE ~Sink, write
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

static std::atomic<bool> handle_open[4];
static std::atomic<int> lines{0};

class Sink {
 public:
  explicit Sink(int handle) : handle_(handle) { handle_open[handle_].store(true); }
  ~Sink() { handle_open[handle_].store(false); }

  void write() {
    assert(handle_open[handle_].load());
    lines.fetch_add(1);
  }

 private:
  const int handle_;
};

class Sampler {
 public:
  Sampler() : sink_(2) {
    thread_ = std::jthread([this] { run(); });
  }

  void wait_first() {
    std::unique_lock hold(mutex_);
    sampled_.wait(hold, [this] { return have_sample_; });
  }

 private:
  void run() {
    sink_.write();
    {
      std::lock_guard hold(mutex_);
      have_sample_ = true;
      sampled_.notify_one();
    }
    sink_.write();  // trailer
  }

  std::mutex mutex_;
  std::condition_variable sampled_;
  bool have_sample_ = false;
  std::jthread thread_;
  Sink sink_;
};

int main() {
  {
    Sampler sampler;
    sampler.wait_first();
  }
  std::printf("%d lines\n", lines.load());
  return lines.load() == 2 ? 0 : 1;
}
