// WHAT    An actor puts its own name into the registry when its thread starts, and others send to
//         that name without waiting for it; what is sent before becomes a dead letter.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   order violation
// MIN_PREEMPTIONS 0
// DECISIVE enlist, find|run_collector, send|run_collector, run_probe
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Message {
  bool stop = false;
  std::uint32_t reading = 0;
};

class Mailbox {
 public:
  void put(const Message& message) {
    std::lock_guard<std::mutex> guard(mutex_);
    messages_.push_back(message);
    arrived_.notify_one();
  }

  Message take() {
    std::unique_lock<std::mutex> lock(mutex_);
    arrived_.wait(lock, [this] { return !messages_.empty(); });
    Message message = messages_.front();
    messages_.pop_front();
    return message;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Message> messages_;
};

class Registry {
 public:
  void enlist(const std::string& name, std::shared_ptr<Mailbox> mailbox) {
    std::lock_guard<std::mutex> guard(mutex_);
    names_[name] = std::move(mailbox);
  }

  std::shared_ptr<Mailbox> find(const std::string& name) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto it = names_.find(name);
    return it == names_.end() ? nullptr : it->second;
  }

  // A message to a name nobody has is dropped, as the documentation says.
  void send(const std::string& name, const Message& message) {
    if (std::shared_ptr<Mailbox> mailbox = find(name)) {
      mailbox->put(message);
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Mailbox>> names_;
};

int run_collector(Registry& registry, const std::shared_ptr<Mailbox>& mailbox) {
  registry.enlist("collector", mailbox);
  int readings = 0;
  while (!mailbox->take().stop) {
    ++readings;
  }
  return readings;
}

std::uint32_t measure(std::uint32_t seed) {
  for (int i = 0; i < 1500000; ++i) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
  }
  return seed;
}

void run_probe(Registry& registry, std::uint32_t seed) {
  registry.send("collector", Message{false, measure(seed)});
}

}  // namespace

int main() {
  Registry registry;
  auto mailbox = std::make_shared<Mailbox>();
  int readings = 0;
  std::thread collector([&] { readings = run_collector(registry, mailbox); });
  std::vector<std::thread> probes;
  for (std::uint32_t seed = 1; seed <= 3; ++seed) {
    probes.emplace_back([&registry, seed] { run_probe(registry, seed); });
  }
  for (std::thread& probe : probes) {
    probe.join();
  }
  mailbox->put(Message{true, 0});
  collector.join();
  std::printf("%d readings\n", readings);
  return readings == 3 ? 0 : 1;
}
