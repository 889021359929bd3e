// WHAT    std::list, std::map, std::set and std::string used by two threads under one mutex, with all that
//         libstdc++ does of them out of the program's sight: linking, moving, reversing, balancing.
// EXPECT  pass
// WITHIN  strategy every runs 20 seed 1
// BUILD   -O1 -std=c++17
#include <cstdio>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

namespace {

std::mutex guard;
std::list<int> items;
std::map<int, std::string> names;
std::set<int> numbers;
std::string text;

void use(int from) {
  for (int i = from; i < from + 6; ++i) {
    std::lock_guard<std::mutex> lock(guard);
    items.push_back(i);
    items.push_front(-i);
    names[i] = std::to_string(i);
    numbers.insert(i);
    text += names[i];
    if (i % 3 == 0) {
      std::list<int> others{100 + i, 200 + i};
      items.splice(++items.begin(), others);
      items.reverse();
      items.erase(items.begin());
      numbers.erase(numbers.begin());
    }
    if (i % 4 == 0) {
      std::list<int> swapped;
      swapped.swap(items);
      items.swap(swapped);
      names.erase(names.begin());
    }
  }
}

}  // namespace

int main() {
  std::thread first(use, 10), second(use, 20);
  first.join();
  second.join();
  int forwards = 0, backwards = 0;
  for (auto at = items.begin(); at != items.end(); ++at) ++forwards;
  for (auto at = items.rbegin(); at != items.rend(); ++at) ++backwards;
  int named = 0;
  for (auto at = names.end(); at != names.begin(); --at) ++named;
  // 12 of each; i % 3 == 0 for four of them, i % 4 == 0 for three.
  const bool right = forwards == 12 * 2 + 4 && backwards == forwards && named == 9 &&
                     numbers.size() == 8 && text.size() == 24;
  if (right) return 0;
  std::fprintf(stderr, "%d %d %d %zu %zu\n", forwards, backwards, named, numbers.size(),
               text.size());
  return 1;
}
