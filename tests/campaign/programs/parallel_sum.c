// Correct OpenMP: two parallel loops, whose threads meet in barriers that no call shows.
#include <stdio.h>

int main(void) {
  int numbers[100];
  long sum = 0;
  int largest = 0;
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 100; i++) numbers[i] = i;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
  for (int i = 0; i < 100; i++) sum += numbers[99 - i];
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(dynamic, 10)
    for (int i = 0; i < 100; i++) {
#pragma omp critical
      if (numbers[i] > largest) largest = numbers[i];
    }
#pragma omp single
    sum += largest;
  }
  printf("%ld\n", sum);
  return sum != 4950 + 99;
}
