// airlines: the test case of Fiedor et al. (2014, §3.4.1 and §5.5.2).
//
// The paper  Resellers sell the seats of a flight to sets of customers: 1..5 resellers, 1..5 sets, 1..10 customers in each. A
//            high-level atomicity violation, checked at the end by counting; 8 % of instrumented runs without noise.
// The bug    A reseller asks whether a seat is left and then sells one. Each of the two is atomic, both together are not: two
//            resellers can sell the last seat.
// It fails   with exit 1 when more seats were sold than there are.
//
// Arguments: RESELLERS SETS CUSTOMERS, 3 3 5 without.
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

// No access without the lock: a race detector finds nothing here.
class Flight {
 public:
  explicit Flight(int seats) : seats_(seats) {}
  bool seat_left() {
    const std::lock_guard lock(mutex_);
    return sold_ < seats_;
  }
  void sell() {
    const std::lock_guard lock(mutex_);
    sold_++;
  }
  int sold() {
    const std::lock_guard lock(mutex_);
    return sold_;
  }

 private:
  std::mutex mutex_;
  int seats_;
  int sold_ = 0;
};

class Counter {
 public:
  explicit Counter(int expected) : expected_(expected) {}
  void queue_up(int customer) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(customer);
  }
  // False: everybody who was expected has been served. -1: nobody is here yet.
  bool next(int& customer) {
    const std::lock_guard lock(mutex_);
    customer = -1;
    if (served_ == expected_) return false;
    if (waiting_.empty()) return true;
    customer = waiting_.front();
    waiting_.pop_front();
    served_++;
    return true;
  }

 private:
  std::mutex mutex_;
  std::deque<int> waiting_;
  int expected_;
  int served_ = 0;
};

void resell(Counter& counter, Flight& flight) {
  for (int customer; counter.next(customer);) {
    if (customer < 0) {
      std::this_thread::yield();
    } else if (flight.seat_left()) {
      flight.sell();
    }
  }
}

int argument(int argc, char** argv, int index, int otherwise) {
  return index < argc ? std::atoi(argv[index]) : otherwise;
}

}  // namespace

int main(int argc, char** argv) {
  const int resellers = argument(argc, argv, 1, 3);
  const int sets = argument(argc, argv, 2, 3);
  const int customers = argument(argc, argv, 3, 5);
  const int seats = sets * customers / 2;
  Flight flight(seats);
  Counter counter(sets * customers);
  std::vector<std::thread> threads;
  for (int i = 0; i < resellers; i++) threads.emplace_back([&] { resell(counter, flight); });
  for (int i = 0; i < sets; i++) {
    threads.emplace_back([&, i] {
      for (int n = 0; n < customers; n++) counter.queue_up(i * customers + n);
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (flight.sold() <= seats) return 0;
  std::fprintf(stderr, "airlines: %d of %d seats were sold\n", flight.sold(), seats);
  return 1;
}
