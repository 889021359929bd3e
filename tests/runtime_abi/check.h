// Assertions for the programs here: no framework, because they are built by compilers and flags of their own.
#ifndef HEDDLE_TESTS_RUNTIME_ABI_CHECK_H
#define HEDDLE_TESTS_RUNTIME_ABI_CHECK_H

#include <stdio.h>
#include <stdlib.h>

// A macro for the text and line of what did not hold.
#define CHECK(condition)                                                             \
  do {                                                                               \
    if (!(condition)) {                                                              \
      fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
      abort();                                                                       \
    }                                                                                \
  } while (0)

#endif
