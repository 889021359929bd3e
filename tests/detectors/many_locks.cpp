// Many threads and locks, used rightly: what detectors can no longer remember must not make them lie.
// Arguments: threads, locks, a file for the most memory it ever had (in KB).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct Cell {
  std::mutex lock;
  long value = 0;
};

long most_memory() {
  FILE* const status = fopen("/proc/self/status", "r");
  char line[256];
  long size = 0;
  while (status != nullptr && fgets(line, sizeof line, status) != nullptr) {
    if (strncmp(line, "VmHWM:", 6) == 0) size = atol(line + 6);
  }
  if (status != nullptr) fclose(status);
  return size;
}

int main(int count, char** words) {
  if (count < 4) return 2;
  const int threads = atoi(words[1]);
  const int locks = atoi(words[2]);
  std::vector<std::unique_ptr<Cell>> cells;
  for (int i = 0; i < locks; i++) cells.push_back(std::make_unique<Cell>());
  const int share = locks / threads;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; t++) {
    // Its own cells, each with one of the next thread's: the lower one first, everywhere.
    all.emplace_back([&, t] {
      for (int k = 0; k < share; k++) {
        const int own = t * share + k;
        const int other = (own + share) % (share * threads);
        Cell& first = *cells[own < other ? own : other];
        Cell& second = *cells[own < other ? other : own];
        const std::lock_guard outer(first.lock);
        const std::lock_guard inner(second.lock);
        first.value++;
        second.value++;
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  long sum = 0;
  for (const auto& cell : cells) sum += cell->value;
  FILE* const file = fopen(words[3], "w");
  if (file == nullptr) return 2;
  fprintf(file, "%ld\n", most_memory());
  fclose(file);
  return sum == 2L * share * threads ? 0 : 1;
}
