// WHAT    A lease table's reaper collects expired leases under the shared lock, lets go of it to
//         take the exclusive one, and erases what it collected without another look; a lease
//         renewed between the two is erased.
// EXPECT  failure crash
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE reap, renew|collect_expired, renew|erase_all, renew
#include <cassert>
#include <cstddef>
#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

class LeaseTable {
 public:
  void grant(const std::string& client, long until) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    leases_[client] = until;
  }

  // False if the client has no lease any more and must ask for one.
  bool renew(const std::string& client, long until) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    auto it = leases_.find(client);
    if (it == leases_.end()) {
      return false;
    }
    it->second = until;
    return true;
  }

  bool holds(const std::string& client) const {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    return leases_.contains(client);
  }

  std::size_t size() const {
    std::shared_lock<std::shared_mutex> lock(mutex_);
    return leases_.size();
  }

  void reap(long now) {
    std::vector<std::string> expired = collect_expired(now);
    if (!expired.empty()) {
      erase_all(expired);
    }
  }

 private:
  std::vector<std::string> collect_expired(long now) const {
    std::vector<std::string> expired;
    std::shared_lock<std::shared_mutex> lock(mutex_);
    for (const auto& [client, until] : leases_) {
      if (until <= now) {
        expired.push_back(client);
      }
    }
    return expired;
  }

  void erase_all(const std::vector<std::string>& clients) {
    std::unique_lock<std::shared_mutex> lock(mutex_);
    for (const std::string& client : clients) {
      leases_.erase(client);
    }
  }

  mutable std::shared_mutex mutex_;
  std::map<std::string, long> leases_;
};

constexpr long kNow = 1000;

void stay_connected(LeaseTable& table, const std::string& client) {
  if (!table.renew(client, kNow + 500)) {
    table.grant(client, kNow + 500);
  }
}

}  // namespace

int main() {
  LeaseTable table;
  table.grant("alice", kNow - 10);
  table.grant("bob", kNow - 5);
  table.grant("carol", kNow - 1);
  table.grant("dave", kNow + 90);

  std::thread alice([&] { stay_connected(table, "alice"); });
  std::thread bob([&] { stay_connected(table, "bob"); });
  std::thread reaper([&] { table.reap(kNow); });
  alice.join();
  bob.join();
  reaper.join();

  std::printf("%zu leases\n", table.size());
  assert(!table.holds("carol"));
  assert(table.holds("dave"));
  assert(table.holds("alice"));
  assert(table.holds("bob"));
  return 0;
}
