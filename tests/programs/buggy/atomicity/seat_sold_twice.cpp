// WHAT    Two customers each look whether a seat is free and then book it. Both steps lock the same
//         mutex, the two together do not.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE is_free, book
// BUILD   -O1 -std=c++17
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

namespace {

std::map<int, std::string> seats;
std::mutex guard;
int sold = 0;

bool is_free(int seat) {
  std::lock_guard<std::mutex> lock(guard);
  return seats.find(seat) == seats.end();
}

void book(int seat, const std::string& who) {
  std::lock_guard<std::mutex> lock(guard);
  seats[seat] = who;
  ++sold;
}

void customer(const std::string& who) {
  if (is_free(7)) book(7, who);
}

}  // namespace

int main() {
  std::thread first(customer, "ann"), second(customer, "bob");
  first.join();
  second.join();
  if (sold == 1) return 0;
  std::fprintf(stderr, "seat sold %d times\n", sold);
  return 1;
}
