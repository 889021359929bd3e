// WHAT    async, in a thread and deferred, and shared futures.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <future>
#include <thread>
#include <vector>

int main() {
  auto eager = std::async(std::launch::async, [] { return std::this_thread::get_id(); });
  assert(eager.get() != std::this_thread::get_id());
  auto lazy = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
  assert(lazy.get() == std::this_thread::get_id());

  std::promise<int> promise;
  std::shared_future<int> shared = promise.get_future().share();
  std::vector<std::future<int>> readers;
  for (int i = 0; i < 3; i++)
    readers.push_back(std::async(std::launch::async, [shared, i] { return shared.get() + i; }));
  promise.set_value(10);
  int sum = 0;
  for (auto& reader : readers) sum += reader.get();
  assert(sum == 33);
}
