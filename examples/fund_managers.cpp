// fund_managers: the fund managers of rstest (Stoller, 2002), after a Java tutorial on threads.
//
// The paper  Fund managers repeatedly transfer money between accounts, which should leave the total
//            as it is. Two managers instead of the original 150, no priorities, a few thousand
//            transfers in an execution. On one processor the bug never came in 10 executions; with
//            rstest it came many times in each.
// The bug    A transfer reads a balance, and writes it back changed, without a lock: a switch
//            between the two makes the other manager's transfer undone for one account only.
// It fails   with exit 1 when the total at the end is not the total at the start.
//
// On two or more processors the managers really run at the same time and the bug needs no bad luck;
// to see what the paper saw, run the native program on one: `taskset -c 0`.
#include <array>
#include <cstdint>
#include <cstdio>
#include <thread>

namespace {

constexpr int kManagers = 2;
constexpr int kTransfers = 1000;  // of each manager
constexpr int kAccounts = 10;
constexpr int kInitial = 10000;

struct Account {
  int balance = kInitial;
};

std::array<Account, kAccounts> accounts;

void transfer(Account& from, Account& to, int amount) {
  from.balance -= amount;
  to.balance += amount;
}

void manage(std::uint32_t number) {
  std::uint32_t state = number;
  const auto below = [&state](int bound) {
    state = state * 1664525u + 1013904223u;
    return static_cast<int>((state >> 16) % static_cast<std::uint32_t>(bound));
  };
  for (int i = 0; i < kTransfers; i++) {
    const int from = below(kAccounts);
    const int to = (from + 1 + below(kAccounts - 1)) % kAccounts;
    transfer(accounts[from], accounts[to], below(100));
  }
}

}  // namespace

int main() {
  std::array<std::thread, kManagers> managers;
  for (std::uint32_t i = 0; i < kManagers; i++) managers[i] = std::thread(manage, i + 1);
  for (auto& manager : managers) manager.join();

  int total = 0;
  for (const auto& account : accounts) total += account.balance;
  if (total == kAccounts * kInitial) return 0;
  std::fprintf(stderr, "fund_managers: the funds hold %d, not %d\n", total, kAccounts * kInitial);
  return 1;
}
