// WHAT    Three request handlers share three database connections, and each, still holding one,
//         takes a second for its audit record; when all hold one each, nobody gets a second.
// EXPECT  failure deadlock
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   deadlock
// MIN_PREEMPTIONS 2
// DECISIVE handle, handle|write_audit, handle|Lease, Lease|take, take
#include <semaphore.h>

#include <atomic>
#include <bit>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

struct Connection {
  int statements = 0;
};

class ConnectionPool {
 public:
  explicit ConnectionPool(unsigned size) : connections_(size) {
    sem_init(&available_, 0, size);
    idle_.store((1U << size) - 1);
  }

  ~ConnectionPool() { sem_destroy(&available_); }

  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;

  Connection* take() {
    while (sem_wait(&available_) != 0) {
    }
    unsigned idle = idle_.load();
    while (!idle_.compare_exchange_weak(idle, idle & (idle - 1))) {
    }
    return &connections_[static_cast<unsigned>(std::countr_zero(idle))];
  }

  void give_back(Connection* connection) {
    idle_.fetch_or(1U << (connection - connections_.data()));
    sem_post(&available_);
  }

  int statements() const {
    int sum = 0;
    for (const Connection& connection : connections_) {
      sum += connection.statements;
    }
    return sum;
  }

 private:
  sem_t available_;
  std::atomic<unsigned> idle_{0};  // one bit for each connection
  std::vector<Connection> connections_;
};

class Lease {
 public:
  explicit Lease(ConnectionPool& pool) : pool_(pool), connection_(pool.take()) {}
  ~Lease() { pool_.give_back(connection_); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  void execute() { ++connection_->statements; }

 private:
  ConnectionPool& pool_;
  Connection* connection_;
};

// On a connection of its own, so that it stays if the request is rolled back.
void write_audit(ConnectionPool& pool) {
  Lease lease(pool);
  lease.execute();
}

void handle(ConnectionPool& pool) {
  Lease lease(pool);
  lease.execute();
  write_audit(pool);
  lease.execute();
}

}  // namespace

int main() {
  ConnectionPool pool(3);
  std::vector<std::thread> handlers;
  for (int i = 0; i < 3; ++i) {
    handlers.emplace_back([&pool] { handle(pool); });
  }
  for (std::thread& handler : handlers) {
    handler.join();
  }
  std::printf("%d statements\n", pool.statements());
  return pool.statements() == 9 ? 0 : 1;
}
