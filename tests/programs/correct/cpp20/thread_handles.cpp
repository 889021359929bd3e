// WHAT    Threads are moved, swapped, compared and asked for their number.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <set>
#include <thread>
#include <vector>

int main() {
  assert(std::thread::hardware_concurrency() >= 1);
  std::atomic<int> ran{0};
  std::thread a([&] { ran++; }), b;
  assert(a.joinable() && !b.joinable());
  const auto id = a.get_id();
  b = std::move(a);
  assert(!a.joinable() && b.get_id() == id && id != std::this_thread::get_id());
  std::swap(a, b);
  a.join();
  assert(ran == 1 && a.get_id() == std::thread::id());

  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) threads.emplace_back([] { std::this_thread::yield(); });
  std::set<std::thread::id> ids;
  for (auto& thread : threads) ids.insert(thread.get_id());
  assert(ids.size() == 3);
  for (auto& thread : threads) thread.join();
}
