// WHAT    Copies of a shared_ptr in several threads; weak_ptr::lock gives the object or nothing.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> deleted{0};
  std::shared_ptr<int> owner(new int(5), [&](int* p) {
    deleted++;
    delete p;
  });
  std::weak_ptr<int> weak = owner;
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([copy = owner]() mutable {
      assert(*copy == 5);
      copy.reset();
    });
  }
  std::jthread watcher([weak] {
    if (const auto locked = weak.lock()) assert(*locked == 5);
  });
  owner.reset();
  watcher.join();
  threads.clear();
  assert(deleted == 1 && weak.expired());
}
