// stencil: threads smooth their stripes of a grid and meet at a barrier after every sweep. Nearly all accesses.
#include <pthread.h>

#include <cstddef>
#include <vector>

#include "workload.h"

int main(int argc, char** argv) {
  constexpr std::size_t kSide = 512;
  constexpr long kSweeps = workload::share_of(240);
  std::vector<double> from(kSide * kSide, 1.0), to(kSide * kSide, 1.0);
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, workload::kThreads);
  workload::in_threads([&](int thread) {
    const std::size_t rows = (kSide - 2) / workload::kThreads;
    const std::size_t first = 1 + rows * static_cast<std::size_t>(thread);
    double* source = from.data();
    double* target = to.data();
    for (long sweep = 0; sweep < kSweeps; ++sweep) {
      for (std::size_t y = first; y < first + rows; ++y) {
        for (std::size_t x = 1; x + 1 < kSide; ++x) {
          const std::size_t at = y * kSide + x;
          target[at] = 0.2 * (source[at] + source[at - 1] + source[at + 1] + source[at - kSide] +
                              source[at + kSide]);
        }
      }
      pthread_barrier_wait(&barrier);
      std::swap(source, target);
    }
  });
  pthread_barrier_destroy(&barrier);
  const double middle = from[kSide * kSide / 2];
  return workload::finish(argc, argv, middle > 0.999 && middle < 1.001);
}
