// WHAT    Two flags of one word, each with a lock of its own: writing one rewrites the other.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE set_visible, set_enabled
#include <cstdio>
#include <mutex>
#include <thread>

namespace {

constexpr unsigned kVisible = 1, kEnabled = 2;

unsigned flags = 0;
std::mutex visible_lock, enabled_lock;

void set_visible() {
  std::lock_guard guard(visible_lock);
  flags |= kVisible;
}

void set_enabled() {
  std::lock_guard guard(enabled_lock);
  flags |= kEnabled;
}

}  // namespace

int main() {
  std::thread first(set_visible), second(set_enabled);
  first.join();
  second.join();
  if (flags == (kVisible | kEnabled)) return 0;
  std::fprintf(stderr, "one of the two flags was lost\n");
  return 1;
}
