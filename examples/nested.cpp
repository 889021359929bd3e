// nested: the fourth experiment of ConTest (Edelstein et al., 2002).
//
// The paper  main() starts ten threads and each creates another, recursively. A thread finds its
//            parameter in a hash table that its creator fills *after* the creation; when control
//            shifts to the new thread at once the entry is missing, "an exception which is handled
//            by the program". Table 1 counts over 1000 tests the faults (370 unseeded on AIX, none
//            on NT) and how often each depth (number of other threads alive when one starts) was
//            reached: 0 and 1 unseeded, never more; 0 to 4 with noise.
// The bug    The parameter is published after the thread that needs it was started.
// It fails   with exit 1 when a depth of 2 or more was reached, which the paper's unseeded program
//            never did on its one processor: the exceptions are handled, so they are no failure of
//            this program. `nested --depth N` asks for another depth of Table 1, `nested --faults`
//            for its first column: exit 1 when a parameter was not found.
//
// On two or more processors threads really overlap, and depths above 1 are common without any tool;
// to see what the paper saw, run the native program on one: `taskset -c 0`.
#include <pthread.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace {

constexpr int kStarted = 10;  // by main()
constexpr int kLevels = 2;    // 20 threads in a test, as the rows of Table 1 add up to
constexpr int kDepths = 5;    // the columns of Table 1; what is deeper counts in the last

std::mutex table_lock;
std::unordered_map<pthread_t, int> levels;  // a thread's parameter; guarded by table_lock
std::vector<pthread_t> created;             // guarded by table_lock; main() joins them all
std::atomic<int> alive{0};
std::array<std::atomic<int>, kDepths> reached;
std::atomic<int> faults{0};

void create(int level);

void* run(void*) {
  const int depth = alive++;
  reached[depth < kDepths ? depth : kDepths - 1]++;
  int level = -1;
  {
    std::lock_guard guard(table_lock);
    const auto entry = levels.find(pthread_self());
    if (entry != levels.end()) level = entry->second;
  }
  if (level < 0) {
    faults++;  // the paper's handled exception: this thread gives up
  } else if (level + 1 < kLevels) {
    create(level + 1);
  }
  alive--;
  return nullptr;
}

void create(int level) {
  pthread_t thread;
  if (pthread_create(&thread, nullptr, run, nullptr) != 0) {
    std::perror("nested: pthread_create");
    std::exit(2);
  }
  std::lock_guard guard(table_lock);
  levels[thread] = level;
  created.push_back(thread);
}

// A thread's children are in `created` before it ends, so what is joined here cannot grow the list
// any more.
void join_all() {
  for (std::size_t next = 0;; next++) {
    pthread_t thread;
    {
      std::lock_guard guard(table_lock);
      if (next == created.size()) return;
      thread = created[next];
    }
    pthread_join(thread, nullptr);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool faults_fail = argc == 2 && std::strcmp(argv[1], "--faults") == 0;
  const int failing_depth =
      argc == 3 && std::strcmp(argv[1], "--depth") == 0 ? std::atoi(argv[2]) : 2;

  levels.reserve(kStarted * kLevels);
  created.reserve(kStarted * kLevels);
  for (int i = 0; i < kStarted; i++) create(0);
  join_all();

  int deepest = 0;
  std::printf("faults %d depths", faults.load());
  for (int depth = 0; depth < kDepths; depth++) {
    std::printf(" %d", reached[depth].load());
    if (reached[depth] != 0) deepest = depth;
  }
  std::printf("\n");
  if (faults_fail) {
    if (faults == 0) return 0;
    std::fprintf(stderr, "nested: %d threads did not find their parameter\n", faults.load());
    return 1;
  }
  if (deepest < failing_depth) return 0;
  std::fprintf(stderr, "nested: %d threads were alive when another started\n", deepest);
  return 1;
}
