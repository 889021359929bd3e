// WHAT    An atomic shared_ptr is replaced and read at once; every version dies exactly once.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace {

std::atomic<int> alive{0};

struct Version {
  explicit Version(int n) : number(n) { alive++; }
  ~Version() { alive--; }
  int number;
};

}  // namespace

int main() {
  {
    std::atomic<std::shared_ptr<Version>> current(std::make_shared<Version>(0));
    std::jthread writer([&] {
      for (int i = 1; i <= 3; i++) current.store(std::make_shared<Version>(i));
    });
    std::jthread reader([&] {
      int last = 0;
      for (int i = 0; i < 3; i++) {
        const auto seen = current.load();
        assert(seen->number >= last);
        last = seen->number;
      }
    });
    writer.join();
    reader.join();
    assert(current.load()->number == 3);
  }
  assert(alive == 0);
}
