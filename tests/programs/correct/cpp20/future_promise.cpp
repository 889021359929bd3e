// WHAT    A promise hands over a value, an exception, and its own breaking.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::promise<std::string> promise;
  auto future = promise.get_future();
  std::jthread setter([&] { promise.set_value("done"); });
  assert(future.get() == "done");

  std::promise<int> failing;
  auto failed = failing.get_future();
  std::jthread thrower([&] {
    try {
      throw std::runtime_error("no");
    } catch (...) {
      failing.set_exception(std::current_exception());
    }
  });
  bool caught = false;
  try {
    failed.get();
  } catch (const std::runtime_error& error) {
    caught = std::string(error.what()) == "no";
  }
  assert(caught);

  std::future<int> broken;
  {
    std::promise<int> forgotten;
    broken = forgotten.get_future();
    assert(broken.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout);
  }
  caught = false;
  try {
    broken.get();
  } catch (const std::future_error& error) {
    caught = error.code() == std::future_errc::broken_promise;
  }
  assert(caught);
}
