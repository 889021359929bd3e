// What the overhead workloads share: four threads, and the CPU time they took, written to the file argv[1].
// The program measures itself, so that start-up, the tool and the fork server stay out of the figure. With WORKLOAD_TIMES=N all
// do N times as much, with WORKLOAD_PART=N an Nth, for engines that would take too long for all of it.
#pragma once

#include <sys/resource.h>

#include <cstdio>
#include <thread>
#include <vector>

#ifndef WORKLOAD_TIMES
#define WORKLOAD_TIMES 1
#endif
#ifndef WORKLOAD_PART
#define WORKLOAD_PART 1
#endif

namespace workload {

constexpr int kThreads = 4;

constexpr long share_of(long rounds) {
  const long share = rounds * WORKLOAD_TIMES / WORKLOAD_PART;
  return share > 0 ? share : 1;
}

template <class Body>
void in_threads(Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(body, i);
  for (std::thread& thread : threads) thread.join();
}

inline int finish(int argc, char** argv, bool correct) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const double seconds = static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
  if (argc > 1) {
    std::FILE* file = std::fopen(argv[1], "w");
    if (file == nullptr) return 2;
    std::fprintf(file, "%.6f\n", seconds);
    std::fclose(file);
  }
  return correct ? 0 : 1;
}

}  // namespace workload
