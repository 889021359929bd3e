// WHAT    An update invalidates the cached price in one critical section and changes the stored
//         price in a second; a lookup in between fills the cache with the old price, which then
//         stays for good.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE update, lookup
#include <cstdio>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>

class PriceTable {
 public:
  int lookup() {
    {
      std::shared_lock hold(cache_mutex_);
      if (cached_) return *cached_;
    }
    std::unique_lock hold(cache_mutex_);
    if (!cached_) cached_ = read_store();
    return *cached_;
  }

  void update(int price) {
    {
      std::unique_lock hold(cache_mutex_);
      cached_.reset();
    }
    std::lock_guard hold(store_mutex_);
    stored_ = price;
  }

 private:
  int read_store() {
    std::lock_guard hold(store_mutex_);
    return stored_;
  }

  std::shared_mutex cache_mutex_;  // taken before store_mutex_
  std::mutex store_mutex_;
  std::optional<int> cached_;
  int stored_ = 10;
};

int main() {
  PriceTable table;
  int shown = 0;
  std::thread editor([&] { table.update(12); });
  std::thread shopper([&] { shown = table.lookup(); });
  editor.join();
  shopper.join();
  if (shown != 10 && shown != 12) return 2;
  const int now = table.lookup();
  std::printf("shown %d, now %d\n", shown, now);
  return now == 12 ? 0 : 1;
}
