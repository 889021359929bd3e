// WHAT    "Not there yet?" and "insert" are each under the lock, but not together: the same name is
//         created twice.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 500 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 1
// DECISIVE contains, insert
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

class Registry {
 public:
  bool contains(const std::string& name) {
    std::lock_guard guard(mutex_);
    for (const auto& known : names_) {
      if (known == name) return true;
    }
    return false;
  }
  void insert(const std::string& name) {
    std::lock_guard guard(mutex_);
    names_.push_back(name);
  }
  std::size_t size() {
    std::lock_guard guard(mutex_);
    return names_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> names_;
};

void find_or_create(Registry& registry) {
  if (!registry.contains("session")) registry.insert("session");
}

}  // namespace

int main() {
  Registry registry;
  std::thread first([&] { find_or_create(registry); });
  std::thread second([&] { find_or_create(registry); });
  first.join();
  second.join();
  if (registry.size() == 1) return 0;
  std::fprintf(stderr, "the session exists %zu times\n", registry.size());
  return 1;
}
