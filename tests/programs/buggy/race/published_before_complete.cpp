// WHAT    Double-checked creation of a shared object that publishes the object before it is filled, under
//         a lock that those who find it do not take. Whoever creates it reads it again itself.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE get, use
#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

struct Settings {
  int version = 0;
};

std::atomic<Settings*> settings{nullptr};
std::mutex guard;

Settings* get() {
  Settings* found = settings.load(std::memory_order_acquire);
  if (found != nullptr) return found;
  std::lock_guard<std::mutex> lock(guard);
  found = settings.load(std::memory_order_relaxed);
  if (found == nullptr) {
    found = new Settings;
    settings.store(found, std::memory_order_release);
    found->version = 3;
  }
  return found;
}

void use(int* seen) { *seen = get()->version; }

}  // namespace

int main() {
  int seen[2] = {};
  std::thread first(use, &seen[0]), second(use, &seen[1]);
  first.join();
  second.join();
  if (seen[0] == 3 && seen[1] == 3) return 0;
  std::fprintf(stderr, "versions %d and %d\n", seen[0], seen[1]);
  return 1;
}
