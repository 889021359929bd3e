// WHAT    Double-checked locking that publishes the pointer before the object is complete.
// EXPECT  failure crash   sites use
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   data race|atomicity
// MIN_PREEMPTIONS 1
// DECISIVE load, use|instance, instance
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

struct Settings {
  int width = 0;
  void load() { width = 80; }
};

std::mutex mutex;
std::atomic<Settings*> settings{nullptr};

Settings* instance() {
  if (settings == nullptr) {
    std::lock_guard guard(mutex);
    if (settings == nullptr) {
      settings = new Settings;
      settings.load()->load();
    }
  }
  return settings;
}

void use() { assert(instance()->width == 80); }

}  // namespace

int main() {
  std::thread first(use), second(use);
  first.join();
  second.join();
  delete settings;
}
