// What ends or is done out of sight: blocks that are given back, containers and exceptions of libstdc++'s.
#include <atomic>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "cases.h"

// Not an unnamed namespace: what nobody else can see, the optimiser takes away.
namespace cases {

std::mutex guard;

// CASE   deleted_while_read
// FINDS  race heap
void deleted_while_read() {
  auto* const block = new int(1);
  both(
      [=] {
        volatile int copy = *block;
        (void)copy;
      },
      [=] { delete block; });
}

// CASE   freed_while_written
// FINDS  race heap
void freed_while_written() {
  auto* const block = static_cast<int*>(std::malloc(64));
  both([=] { block[5] = 1; }, [=] { std::free(block); });
}

// CASE   deleted_after_the_last_reference
// FINDS  nothing
void deleted_after_the_last_reference() {
  const auto use = [](std::shared_ptr<int> shared) {
    volatile int copy = *shared;
    (void)copy;
  };
  auto shared = std::make_shared<int>(3);
  std::thread first(use, shared), second(use, shared);
  shared.reset();
  first.join();
  second.join();
}

// CASE   deleted_under_the_lock
// FINDS  nothing
int* guarded_block;
void deleted_under_the_lock() {
  guarded_block = new int(1);
  const auto end = [] {
    const std::lock_guard lock(guard);
    if (guarded_block == nullptr) return;
    *guarded_block = 2;
    delete guarded_block;
    guarded_block = nullptr;
  };
  both(end, end);
}

// CASE   deleted_after_join
// FINDS  nothing
void deleted_after_join() {
  auto* const block = new int(1);
  std::thread([=] { *block = 2; }).join();
  delete block;
}

// CASE   exception_of_a_thread
// FINDS  nothing
void exception_of_a_thread() {
  std::exception_ptr kept;
  std::thread([&] {
    try {
      throw std::string("text that is too long for the short form");
    } catch (...) {
      kept = std::current_exception();
    }
  }).join();
  std::thread([&] {
    try {
      std::rethrow_exception(kept);
    } catch (const std::string& text) {
      volatile std::size_t size = text.size();
      (void)size;
    }
  }).join();
}

// CASE   once_that_throws
// FINDS  nothing
std::once_flag once;
int attempts;
void once_that_throws() {
  const auto use = [] {
    try {
      std::call_once(once, [] {
        if (++attempts < 3) throw attempts;
      });
    } catch (int) {
    }
  };
  both(use, use);
}

// CASE   once_that_throws_past_others
// FINDS  nothing
std::once_flag once_inner;
int unwound;
void once_that_throws_past_others() {
  struct Counts {
    ~Counts() { ++unwound; }
  };
  const auto use = [] {
    try {
      std::call_once(once, [] {
        const Counts counts;
        try {
          std::call_once(once_inner, [] { throw 1; });
        } catch (int) {
          ++attempts;
        }
        if (attempts < 4) throw attempts;
      });
    } catch (int) {
    }
  };
  both([=] { use(), use(); }, [=] { use(), use(); });
}

// CASE   static_that_throws
// FINDS  nothing
int tried;
int try_hard() {
  if (++tried < 3) throw tried;
  return tried;
}
void static_that_throws() {
  const auto use = [] {
    try {
      static const int kOnce = try_hard();
      volatile int seen = kOnce;
      (void)seen;
    } catch (int) {
    }
  };
  both([=] { use(), use(); }, [=] { use(), use(); });
}

// CASE   list_of_both
// FINDS  race items
std::list<int> items;
void list_of_both() {
  const auto add = [] { items.push_back(1); };
  both(add, add);
}

// CASE   map_read_and_written
// FINDS  race names
std::map<int, int> names;
void map_read_and_written() {
  both([] { names.emplace(2, 2); },
       [] {
         volatile bool found = names.begin() != names.end();
         (void)found;
       });
}

// CASE   text_of_both
// FINDS  race text
std::string text;
void text_of_both() {
  const auto add = [] { text += "a word"; };
  both(add, add);
}

// CASE   containers_under_a_lock
// FINDS  nothing
std::list<int> locked_items;
std::set<int> locked_numbers;
std::string locked_text;
void containers_under_a_lock() {
  const auto use = [] {
    const std::lock_guard lock(guard);
    for (int i = 0; i < 4; i++) {
      locked_items.push_front(i);
      locked_numbers.insert(i);
      locked_text += "some words that need more room";
    }
    locked_items.reverse();
    locked_items.pop_back();
    locked_numbers.erase(locked_numbers.begin());
    locked_text.clear();
    locked_text.shrink_to_fit();
  };
  both(use, use);
}

constexpr Case kCases[] = {
    {"deleted_while_read", deleted_while_read},
    {"freed_while_written", freed_while_written},
    {"deleted_after_the_last_reference", deleted_after_the_last_reference},
    {"deleted_under_the_lock", deleted_under_the_lock},
    {"deleted_after_join", deleted_after_join},
    {"exception_of_a_thread", exception_of_a_thread},
    {"once_that_throws", once_that_throws},
    {"once_that_throws_past_others", once_that_throws_past_others},
    {"static_that_throws", static_that_throws},
    {"list_of_both", list_of_both},
    {"map_read_and_written", map_read_and_written},
    {"text_of_both", text_of_both},
    {"containers_under_a_lock", containers_under_a_lock},
};

}  // namespace cases

int main(int count, char** words) { return run_case(cases::kCases, count, words); }
