// crawler: the real-life defect of ConTest (Edelstein et al., 2002), in a skeleton of the crawler
// it was found in.
//
// The paper  A manager hands connections to worker threads through a queue (threads wait when it is
//            full or empty), takes back idle workers, and at the end calls finish() on every
//            worker: if (connection != null) connection.setStopFlag(); The defect was unknown
//            before; ConTest met it within an hour.
// The bug    The worker sets its `connection` to null when it is done with it. Between the test and
//            the call that null can come: two correct accesses that should have been one.
// It fails   by a null pointer (a crash), where Java threw a NullPointerException.
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace {

constexpr int kWorkers = 3;
constexpr int kPages = 9;
constexpr std::size_t kQueueCapacity = 4;
constexpr int kLinksPerPage = 5;

class Connection {
 public:
  explicit Connection(int page) : page_(page) {}
  int page() const { return page_; }
  void set_stop_flag() { stop_ = true; }
  bool stopped() const { return stop_; }

 private:
  int page_;
  std::atomic<bool> stop_{false};
};

// Waits when full (put) or empty (take), as the paper's queue does. After close() the rest is
// handed out, then nothing.
class ConnectionQueue {
 public:
  bool put(Connection* connection) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || waiting_.size() < kQueueCapacity; });
    if (closed_) return false;
    waiting_.push_back(connection);
    changed_.notify_all();
    return true;
  }

  std::optional<Connection*> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    Connection* connection = waiting_.front();
    waiting_.pop_front();
    changed_.notify_all();
    return connection;
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Connection*> waiting_;
  bool closed_ = false;
};

// What the workers found, merged under a lock "in a consistent way".
class Results {
 public:
  void merge(int links) {
    std::lock_guard lock(mutex_);
    pages_++;
    links_ += links;
  }
  void print() {
    std::lock_guard lock(mutex_);
    std::printf("%d pages, %d links\n", pages_, links_);
  }

 private:
  std::mutex mutex_;
  int pages_ = 0;
  int links_ = 0;
};

class Worker {
 public:
  void start(ConnectionQueue& queue, Results& results) {
    thread_ = std::thread([this, &queue, &results] {
      while (const auto connection = queue.take()) serve(*connection, results);
    });
  }

  // Called by the manager when the crawl is to end: whatever is being served should stop early.
  void finish() {
    if (connection_ != nullptr) connection_.load()->set_stop_flag();
  }

  void join() { thread_.join(); }

 private:
  void serve(Connection* connection, Results& results) {
    connection_ = connection;
    int links = 0;
    for (; links < kLinksPerPage && !connection->stopped(); links++) std::this_thread::yield();
    connection_ = nullptr;
    results.merge(links);
  }

  std::thread thread_;
  std::atomic<Connection*> connection_{nullptr};
};

}  // namespace

int main() {
  std::deque<Connection> connections;
  ConnectionQueue queue;
  Results results;
  std::array<Worker, kWorkers> workers;

  for (auto& worker : workers) worker.start(queue, results);
  for (int page = 0; page < kPages; page++) queue.put(&connections.emplace_back(page));
  queue.close();
  for (auto& worker : workers) worker.finish();
  for (auto& worker : workers) worker.join();
  results.print();
}
