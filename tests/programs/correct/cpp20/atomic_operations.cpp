// WHAT    Every read-modify-write operation is atomic, in every size, and on floats and references.
// EXPECT  pass
// WITHIN  strategy every runs 40 seed 1
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {

template <typename T>
void count() {
  std::atomic<T> counter{0};
  auto add = [&] {
    for (int i = 0; i < 5; i++) counter.fetch_add(1, std::memory_order_relaxed);
  };
  std::jthread first(add), second(add);
  first.join();
  second.join();
  assert(counter == T(10));
}

}  // namespace

int main() {
  count<std::uint8_t>();
  count<std::uint16_t>();
  count<std::uint32_t>();
  count<std::uint64_t>();
  count<double>();

  std::atomic<unsigned> bits{0};
  std::jthread even([&] { bits |= 0x5; });
  std::jthread odd([&] { bits ^= 0xa; });
  even.join();
  odd.join();
  assert(bits == 0xf);

  int plain = 0;
  auto through_reference = [&plain] {
    for (int i = 0; i < 5; i++) ++std::atomic_ref<int>(plain);
  };
  std::jthread first(through_reference), second(through_reference);
  first.join();
  second.join();
  assert(plain == 10);

  std::atomic<int> maximum{0};
  auto raise = [&maximum](int value) {
    for (int seen = maximum; seen < value && !maximum.compare_exchange_weak(seen, value);) {
    }
  };
  std::jthread low([&] { raise(3); }), high([&] { raise(8); });
  low.join();
  high.join();
  assert(maximum == 8 && maximum.exchange(1) == 8);
}
