#!/usr/bin/env python3
"""Two bugs in one program: making one smaller never ends in the other. The same for two crashes without a word, in functions and in
lambdas, for two circles of locks and two crashes that are all inside headers, and for two waits inside the library.

usage: two_bugs_test.py --heddle TOOL
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

# Either counter can lose an update, with the same exit status; and either pointer can be used too early, with the same signal.
SOURCES = {
    "counters.c": ("""
#include <pthread.h>
#include <stdio.h>
static int first, second;
static void* work(void* unused) {
  first++;
  second++;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (first != 2) fprintf(stderr, "first was lost\\n");
  else if (second != 2) fprintf(stderr, "second was lost\\n");
  return first != 2 || second != 2;
}
""", {"exit | 1 | first was lost", "exit | 1 | second was lost"}),
    "pointers.c": ("""
#include <pthread.h>
static int value;
static int *volatile first, *volatile second;
static void* publish(void* unused) {
  first = &value;
  second = &value;
  return unused;
}
__attribute__((noinline)) static void use_first(void) { *first = 1; }
__attribute__((noinline)) static void use_second(void) { *second = 2; }
static void* use(void* unused) {
  use_first();
  use_second();
  return unused;
}
int main(void) {
  pthread_t publisher, user;
  pthread_create(&publisher, NULL, publish, NULL);
  pthread_create(&user, NULL, use, NULL);
  pthread_join(publisher, NULL);
  pthread_join(user, NULL);
  return 0;
}
""", {"crash | SIGSEGV |  | in use_first", "crash | SIGSEGV |  | in use_second"}),
    "lambdas.cpp": ("""
#include <thread>
static int value;
static int *volatile first, *volatile second;
int main() {
  std::thread publisher([] {
    first = &value;
    second = &value;
  });
  std::thread one([] { *first = 1; });
  std::thread two([] { *second = 2; });
  publisher.join();
  one.join();
  two.join();
}
""", {"crash | SIGSEGV |  | in operator() lambdas.cpp:10", "crash | SIGSEGV |  | in operator() lambdas.cpp:11"}),
    "locks.cpp": ("""
#include <mutex>
#include <thread>
static std::mutex a, b, c, d;
static void down() {
  { const std::lock_guard one(a); const std::lock_guard two(b); }
  { const std::lock_guard one(c); const std::lock_guard two(d); }
}
static void up() {
  { const std::lock_guard one(b); const std::lock_guard two(a); }
  { const std::lock_guard one(d); const std::lock_guard two(c); }
}
int main() {
  std::thread one(down), two(up);
  one.join();
  two.join();
}
""", {"deadlock | mutex in down locks.cpp:6 | mutex in up locks.cpp:10 | thread in std::thread::join",
       "deadlock | mutex in down locks.cpp:7 | mutex in up locks.cpp:11 | thread in std::thread::join"}),
    "containers.cpp": ("""
#include <atomic>
#include <thread>
#include <vector>
static std::vector<int> *first, *second;
static std::atomic<int> turn{0};
static void make() {
  auto* made = new std::vector<int>(2);
  if (turn++ == 0) first = made; else second = made;
}
static int use_first() { return (*first)[0]; }
static int use_second() { return (*second)[1]; }
int main() {
  std::thread one(make), two(make);
  const int sum = use_first() + use_second();
  one.join();
  two.join();
  return sum;
}
""", {"crash | SIGSEGV |  | in use_first", "crash | SIGSEGV |  | in use_second"}),
    "futures.cpp": ("""
#include <atomic>
#include <future>
#include <thread>
int main() {
  std::promise<int> first, second;
  std::atomic<int> turn{0};
  std::thread teller([&] {
    if (turn.exchange(1) == 0) second.set_value(1); else first.set_value(1);
  });
  std::thread taker([&] { turn.exchange(2); });
  const int one = first.get_future().get();
  const int two = second.get_future().get();
  teller.join();
  taker.join();
  return one + two;
}
""", {"deadlock | futex in main futures.cpp:12", "deadlock | futex in main futures.cpp:13"}),
}

UNOPTIMISED = ("locks", "containers")


def check(heddle: str, file_name: str, directory: Path) -> list[str]:
    source, signatures = SOURCES[file_name]
    name, language = file_name.split(".")
    wrong: list[str] = []

    def call(*words: str) -> subprocess.CompletedProcess:
        return subprocess.run([heddle, *words], cwd=directory, text=True, capture_output=True, stdin=subprocess.DEVNULL)

    (directory / file_name).write_text(source, encoding="utf-8")
    optimisation = "-O0" if name in UNOPTIMISED else "-O1"
    built = call("c++" if language == "cpp" else "cc", "-g", optimisation, "-pthread", file_name, "-o", name)
    if built.returncode == 77:
        raise SystemExit(77)
    out = f"{name}-out"
    call("run", "--quiet", "--keep-going", "--seed", "1", "--runs", "150", "--out", out, "--json", f"{name}.json", "--",
         f"./{name}")
    failures = json.loads((directory / f"{name}.json").read_text(encoding="utf-8"))["failures"]
    found = {failure["signature"] for failure in failures}
    if found != signatures:
        wrong.append(f"{name}: the signatures are {found}, not {signatures}")
    for failure in failures:
        for file in ("schedule.json", "schedule.original.json"):
            schedule = json.loads((Path(failure["directory"]) / file).read_text(encoding="utf-8"))
            if schedule["failure"]["signature"] != failure["signature"]:
                wrong.append(f"{name}: {file} of {failure['id']} fails with {schedule['failure']['signature']}")
        replayed = call("replay", failure["directory"], "--times", "20").stdout
        if "reproduced 20/20" not in replayed:
            wrong.append(f"{name}: {failure['signature']}: {replayed}")
        if failure["preemptions_after"] > 1:
            wrong.append(f"{name}: {failure['signature']} has {failure['preemptions_after']} preemptions left")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    heddle = str(Path(parser.parse_args().heddle).resolve())
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="heddle-two-bugs-") as scratch:
        for file_name in SOURCES:
            wrong += check(heddle, file_name, Path(scratch))
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
