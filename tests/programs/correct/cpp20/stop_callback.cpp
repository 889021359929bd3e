// WHAT    A stop callback runs exactly once, whoever requests the stop first.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  std::stop_source source;
  std::atomic<int> called{0}, requested{0};
  std::stop_callback callback(source.get_token(), [&] { called++; });
  std::thread first([&] { requested += source.request_stop(); });
  std::thread second([&] { requested += source.request_stop(); });
  first.join();
  second.join();
  assert(called == 1 && requested == 1);
  std::stop_callback late(source.get_token(), [&] { called++; });
  assert(called == 2);
}
