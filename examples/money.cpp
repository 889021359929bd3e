// money: the second experiment of ConTest (Edelstein et al., 2002), after a demonstration program
// of Sun's.
//
// The paper  main() starts many move_money() threads. Each repeatedly chooses two accounts of a
//            global array, adds a random amount to one and subtracts it from the other. main()
//            calls check_sum() a number of times, which adds up all accounts. On one processor the
//            fault came in 40 % of unseeded runs, in 85 % with sleep(). With busywork (a loop of
//            empty writes) in move_money() it never came unseeded, and in 80 % with noise.
// The bug    check_sum() can run between the addition and the subtraction: for that moment there is
//            too much money.
// It fails   with exit 1 when a check_sum() sees another total than the one the accounts began
//            with.
//
// Built twice: `money`, and `money_busywork` with -DBUSYWORK=20000. The additions themselves are
// atomic, so that the missing transaction is the only fault, as it is on the paper's single
// processor.
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

#ifndef BUSYWORK
#define BUSYWORK 0
#endif

namespace {

constexpr int kThreads = 10;
constexpr int kMovesPerThread = 10;
constexpr int kChecks = 5;
constexpr int kAccounts = 10;
constexpr int kInitial = 1000;

std::array<std::atomic<int>, kAccounts> accounts;

// A generator per thread, seeded by the thread's number: the program draws the same transfers in
// every run.
class Draw {
 public:
  explicit Draw(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
  int below(int bound) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((state_ >> 16) % static_cast<std::uint32_t>(bound));
  }

 private:
  std::uint32_t state_;
};

void busywork() {
  [[maybe_unused]] volatile int scratch = 0;
  for (int i = 0; i < BUSYWORK; i++) scratch = i;
}

void move_money(int number) {
  Draw draw(static_cast<std::uint32_t>(number));
  for (int i = 0; i < kMovesPerThread; i++) {
    const int to = draw.below(kAccounts);
    const int from = (to + 1 + draw.below(kAccounts - 1)) % kAccounts;
    const int amount = 1 + draw.below(100);
    busywork();
    accounts[to] += amount;
    accounts[from] -= amount;
  }
}

bool check_sum() {
  int sum = 0;
  for (const auto& account : accounts) sum += account;
  if (sum == kAccounts * kInitial) return true;
  std::fprintf(stderr, "money: the accounts hold %d, not %d\n", sum, kAccounts * kInitial);
  return false;
}

}  // namespace

int main() {
  for (auto& account : accounts) account = kInitial;
  std::vector<std::thread> movers;
  for (int i = 0; i < kThreads; i++) movers.emplace_back(move_money, i);
  bool right = true;
  for (int i = 0; i < kChecks; i++) right = check_sum() && right;
  for (auto& mover : movers) mover.join();
  return right ? 0 : 1;
}
