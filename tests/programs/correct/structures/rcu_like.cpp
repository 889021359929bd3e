// WHAT    Readers announce themselves; a writer replaces the version and frees the old one when all
//         have gone on.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <array>
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

namespace {

constexpr int kReaders = 2;

struct Version {
  int a, b;
  bool freed = false;
};

std::atomic<Version*> current;
std::array<std::atomic<unsigned>, kReaders> epochs;  // odd while the reader is inside
std::vector<std::unique_ptr<Version>> retired;       // kept, so that a use after "free" is seen

void wait_for_readers() {
  for (auto& epoch : epochs) {
    const unsigned seen = epoch;
    if (seen % 2 == 0) continue;
    while (epoch == seen) std::this_thread::yield();
  }
}

void read_versions(int reader) {
  for (int i = 0; i < 3; i++) {
    epochs[reader]++;
    const Version* version = current;
    assert(!version->freed);
    assert(version->a == version->b);
    epochs[reader]++;
  }
}

void write_versions() {
  for (int i = 1; i <= 2; i++) {
    Version* old = current.exchange(new Version{i, i});
    wait_for_readers();
    old->freed = true;
    retired.emplace_back(old);
  }
}

}  // namespace

int main() {
  current = new Version{0, 0};
  std::thread first(read_versions, 0), second(read_versions, 1), writer(write_versions);
  first.join();
  second.join();
  writer.join();
  delete current;
}
