// WHAT    A lazily made singleton tests an atomic pointer and then stores to it; two threads can
//         both find it null and make a registry each, and what was registered in the one that is
//         overwritten is lost.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE instance, instance
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <thread>

class MetricRegistry {
 public:
  static MetricRegistry& instance() {
    MetricRegistry* registry = self_.load(std::memory_order_acquire);
    if (registry == nullptr) {
      registry = new MetricRegistry;
      self_.store(registry, std::memory_order_release);
    }
    return *registry;
  }

  void add(const std::string& name) {
    std::lock_guard hold(mutex_);
    names_.insert(name);
  }

  std::size_t size() {
    std::lock_guard hold(mutex_);
    return names_.size();
  }

 private:
  MetricRegistry() = default;

  static std::atomic<MetricRegistry*> self_;
  std::mutex mutex_;
  std::set<std::string> names_;
};

std::atomic<MetricRegistry*> MetricRegistry::self_{nullptr};

static void start_network() { MetricRegistry::instance().add("net.bytes"); }

static void start_storage() { MetricRegistry::instance().add("disk.writes"); }

int main() {
  std::thread network(start_network);
  std::thread storage(start_storage);
  network.join();
  storage.join();
  const std::size_t count = MetricRegistry::instance().size();
  std::printf("%zu metrics\n", count);
  return count == 2 ? 0 : 1;
}
