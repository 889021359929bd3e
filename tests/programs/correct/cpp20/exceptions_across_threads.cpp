// WHAT    Exceptions are thrown, caught and carried over while other threads do the same.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::vector<std::exception_ptr> caught;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; i++) {
    threads.emplace_back([&, i] {
      try {
        std::lock_guard outer(mutex);
        throw std::runtime_error(std::to_string(i));
      } catch (...) {
        std::this_thread::yield();
        std::lock_guard guard(mutex);  // the first was released while unwinding
        caught.push_back(std::current_exception());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  int sum = 0;
  for (const auto& pointer : caught) {
    try {
      std::rethrow_exception(pointer);
    } catch (const std::runtime_error& error) {
      sum += std::stoi(error.what());
    }
  }
  assert(caught.size() == 3 && sum == 0 + 1 + 2);
}
