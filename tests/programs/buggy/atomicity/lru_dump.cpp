// WHAT    A cache dump writes the number of items under the lock, lets go of it, and writes the
//         items under the lock again; an item that is just being moved to the front of the LRU list
//         is counted but not written, or the reverse.
// EXPECT  failure exit
// WITHIN  strategy portfolio runs 1000 seed 1
// REPLAYS 20/20
// CLASS   atomicity
// MIN_PREEMPTIONS 2
// DECISIVE dump, touch|write_header, touch|write_items, touch
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <list>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

struct Item {
  int key = 0;
  int hits = 0;
  std::string value;
};

class LruCache {
 public:
  void add(int key, const std::string& value) {
    std::lock_guard<std::mutex> guard(mutex_);
    items_.push_front(Item{key, 0, value});
    ++count_;
  }

  // Takes the item out, refreshes it without the lock, and puts it in front.
  bool touch(int key) {
    std::list<Item> in_hand;
    {
      std::lock_guard<std::mutex> guard(mutex_);
      auto it = std::find_if(items_.begin(), items_.end(),
                             [key](const Item& item) { return item.key == key; });
      if (it == items_.end()) {
        return false;
      }
      in_hand.splice(in_hand.begin(), items_, it);
      --count_;
    }
    refresh(in_hand.front());
    {
      std::lock_guard<std::mutex> guard(mutex_);
      items_.splice(items_.begin(), in_hand);
      ++count_;
    }
    return true;
  }

  struct Dump {
    std::size_t announced = 0;
    std::vector<std::string> lines;
  };

  Dump dump() {
    Dump out;
    write_header(out);
    write_items(out);
    return out;
  }

 private:
  static void refresh(Item& item) {
    ++item.hits;
    std::reverse(item.value.begin(), item.value.end());
  }

  void write_header(Dump& out) {
    std::lock_guard<std::mutex> guard(mutex_);
    out.announced = count_;
  }

  void write_items(Dump& out) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (const Item& item : items_) {
      out.lines.push_back(std::to_string(item.key) + " " + item.value);
    }
  }

  std::mutex mutex_;
  std::list<Item> items_;
  std::size_t count_ = 0;
};

}  // namespace

int main() {
  LruCache cache;
  for (int key = 0; key < 5; ++key) {
    cache.add(key, "value-" + std::to_string(key));
  }

  LruCache::Dump snapshot;
  std::thread dumper([&] { snapshot = cache.dump(); });
  std::thread first_reader([&] {
    cache.touch(0);
    cache.touch(3);
  });
  std::thread second_reader([&] { cache.touch(1); });
  dumper.join();
  first_reader.join();
  second_reader.join();

  std::printf("header says %zu, %zu items follow\n", snapshot.announced, snapshot.lines.size());
  return snapshot.announced == snapshot.lines.size() ? 0 : 1;
}
