// WHAT    Double-checked locking that publishes a complete object with release.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Settings {
  Settings() : width(80) {}
  int width;
};

std::mutex mutex;
std::atomic<Settings*> settings{nullptr};

Settings& instance() {
  Settings* known = settings.load(std::memory_order_acquire);
  if (known == nullptr) {
    std::lock_guard guard(mutex);
    known = settings.load(std::memory_order_relaxed);
    if (known == nullptr) {
      known = new Settings;
      settings.store(known, std::memory_order_release);
    }
  }
  return *known;
}

}  // namespace

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back([] { assert(instance().width == 80); });
  for (auto& thread : threads) thread.join();
  delete settings.load();
}
