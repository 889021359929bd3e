// WHAT    Two threads append to one std::string without a lock; text is lost. For C++17 the code of
//         std::string is in libstdc++ unless the wrapper asks for it.
// EXPECT  failure exit|signal
// WITHIN  strategy portfolio runs 200 seed 1
// REPLAYS 20/20
// CLASS   data race
// MIN_PREEMPTIONS 1
// DECISIVE add, add
// BUILD   -O0 -std=c++17
#include <cstdio>
#include <string>
#include <thread>

namespace {

std::string text;

void add(const char* word) {
  for (int i = 0; i < 2; ++i) text += word;
}

}  // namespace

int main() {
  std::thread first(add, "left"), second(add, "right");
  first.join();
  second.join();
  if (text.size() == 18) return 0;
  std::fprintf(stderr, "%zu characters of 18\n", text.size());
  return 1;
}
