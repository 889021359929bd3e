// WHAT    Two dealers sell the last seats to sets of customers: asking for a free seat and booking
//         it are two locked steps.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE Database::has_seats, Database::book
// ORIGIN  The Airlines test of Fiedor et al. (2018): two dealers, four sets of customers, a final
//         count; here five customers to a set.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kSeats = 18;
constexpr int kDealers = 2;
constexpr int kCustomerSets = 4;
constexpr int kCustomersPerSet = 5;

class Database {
 public:
  bool has_seats() {
    std::lock_guard guard(mutex_);
    return sold_ < kSeats;
  }
  void book() {
    std::lock_guard guard(mutex_);
    sold_++;
  }
  int sold() {
    std::lock_guard guard(mutex_);
    return sold_;
  }

 private:
  std::mutex mutex_;
  int sold_ = 0;
};

Database database;
std::mutex dealers[kDealers];  // a dealer serves one customer at a time

bool buy(int dealer) {
  std::lock_guard served(dealers[dealer]);
  if (!database.has_seats()) return false;
  database.book();
  return true;
}

void customers(int set) {
  for (int i = 0; i < kCustomersPerSet; i++) buy(set % kDealers);
}

}  // namespace

int main() {
  std::vector<std::thread> sets;
  for (int i = 0; i < kCustomerSets; i++) sets.emplace_back(customers, i);
  for (auto& set : sets) set.join();
  if (database.sold() <= kSeats) return 0;
  std::fprintf(stderr, "%d tickets were sold for %d seats\n", database.sold(), kSeats);
  return 1;
}
