// WHAT    A worker gives the loader 30 ms to fill the routing table instead of waiting for it; if
//         the loader is not done by then, the worker finds no route and drops the request.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   sleep-as-synchronisation
// MIN_PREEMPTIONS 0
// DECISIVE load_routes, serve
#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <thread>

class Routes {
 public:
  void add(const std::string& path, int backend) {
    std::lock_guard hold(mutex_);
    table_[path] = backend;
  }

  int find(const std::string& path) {
    std::lock_guard hold(mutex_);
    const auto at = table_.find(path);
    return at == table_.end() ? -1 : at->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, int> table_;
};

static Routes routes;
static std::atomic<int> dropped{0};

static void load_routes() {
  routes.add("/", 1);
  routes.add("/images", 2);
  routes.add("/search", 3);
}

static void serve() {
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  if (routes.find("/search") < 0) dropped.fetch_add(1);
}

int main() {
  std::thread loader(load_routes);
  std::thread worker(serve);
  loader.join();
  worker.join();
  std::printf("%d dropped\n", dropped.load());
  return dropped.load() == 0 ? 0 : 1;
}
