// WHAT    A function-local static is constructed once, whoever comes first, and tried again after a
//         throw.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

namespace {

std::atomic<int> constructed{0};

struct Service {
  Service() {
    std::this_thread::yield();
    constructed++;
    ready = true;
  }
  bool ready = false;
};

Service& service() {
  static Service instance;
  return instance;
}

struct Stubborn {
  Stubborn() {
    if (attempts++ == 0) throw 1;
  }
  static inline std::atomic<int> attempts{0};
};

bool obtain() {
  try {
    static Stubborn instance;
    return true;
  } catch (int) {
    return false;
  }
}

}  // namespace

int main() {
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++) threads.emplace_back([] { assert(service().ready); });
  }
  assert(constructed == 1);

  std::atomic<int> failures{0};
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; i++) threads.emplace_back([&] { failures += !obtain(); });
  }
  assert(failures == 1 && Stubborn::attempts == 2);
}
