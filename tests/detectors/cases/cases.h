// A file holds several small programs; the first argument says which of them runs. Each carries its verdict in the comment
// above it, which ../check_cases.py reads:
//   CASE   name
//   FINDS  race NAME | lock-order | misuse TEXT | leak | nothing     exactly what the precise detectors report; may be repeated.
//          NAME is the variable, or `heap` or `stack`. avio NAME, check-then-act NAME: what they report as findings.
//          sleep-sync NAME: only a sleep orders the accesses to it
//   ERASER what eraser reports by its definition, where that is worth a check: it knows locks and nothing else, and lets a
//          variable be handed from its first owner to a second
//   RUNS   under how many schedules it shows (12 unless told)
#pragma once

#include <cstdio>
#include <cstring>
#include <thread>

struct Case {
  const char* name;
  void (*run)();
};

template <std::size_t N>
int run_case(const Case (&cases)[N], int count, char** words) {
  for (const Case& one : cases) {
    if (count > 1 && std::strcmp(one.name, words[1]) == 0) {
      one.run();
      return 0;
    }
  }
  std::fprintf(stderr, "no such case\n");
  return 2;
}

// Runs both at the same time, and waits for them.
template <class A, class B>
void both(A a, B b) {
  std::thread first(a);
  std::thread second(b);
  first.join();
  second.join();
}
