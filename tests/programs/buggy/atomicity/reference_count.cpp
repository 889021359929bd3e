// WHAT    A reference count that is lowered and then looked at: two threads can both see zero.
// EXPECT  failure crash   sites release
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE release, release
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Resource {
  std::atomic<int> references{2};
  std::atomic<int> closed{0};
};

void release(Resource& resource) {
  resource.references--;
  if (resource.references == 0) {
    const int before = resource.closed++;
    assert(before == 0);
  }
}

}  // namespace

int main() {
  Resource resource;
  std::thread first([&] { release(resource); }), second([&] { release(resource); });
  first.join();
  second.join();
}
