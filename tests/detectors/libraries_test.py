#!/usr/bin/env python3
"""A library has a lock of its own that keeps two accesses of the program apart. Built without instrumentation, the lock is not
seen: the race that is reported names the library. Built with it, there is no race, and nothing to say.

usage: libraries_test.py --heddle TOOL
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

LIBRARY = r"""
#include <sched.h>
#include <stdatomic.h>
static atomic_flag taken = ATOMIC_FLAG_INIT;
void gate_close(void) { while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) sched_yield(); }
void gate_open(void) { atomic_flag_clear_explicit(&taken, memory_order_release); }
"""

PROGRAM = r"""
#include <pthread.h>
void gate_close(void);
void gate_open(void);
int counter;
static void* count(void* argument) {
  gate_close();
  counter++;
  gate_open();
  return argument;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, count, 0);
  pthread_create(&two, 0, count, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return counter != 2;
}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    heddle = str(Path(parser.parse_args().heddle).absolute())
    wrong = []
    with tempfile.TemporaryDirectory(prefix="heddle-libraries-") as scratch:
        directory = Path(scratch)
        (directory / "gate.c").write_text(LIBRARY, encoding="utf-8")
        (directory / "program.c").write_text(PROGRAM, encoding="utf-8")
        result = directory / "result.json"
        for compiler in (["gcc"], [heddle, "cc"]):
            seen = len(compiler) > 1
            where = "instrumented" if seen else "not instrumented"
            subprocess.run([*compiler, "-g", "-O1", "-shared", "-fPIC", "gate.c", "-o", "libgate.so"], cwd=directory, check=True)
            subprocess.run([heddle, "cc", "-g", "-O1", "-pthread", "program.c", "-o", "program", "-L.", "-lgate",
                            f"-Wl,-rpath,{directory}"], cwd=directory, check=True)
            done = subprocess.run([heddle, "run", "--seed", "1", "--runs", "20", "--detect", "fasttrack", "--json", str(result),
                                   "--out", str(directory / "out"), "--", "./program"], cwd=directory, capture_output=True,
                                  text=True, stdin=subprocess.DEVNULL, timeout=100)
            answer = json.loads(result.read_text(encoding="utf-8"))
            libraries, races = ([], 0) if seen else (["libgate.so"], 1)
            if answer["not_instrumented"] != libraries or len(answer["findings"]) != races:
                wrong.append(f"{where}: {answer['not_instrumented']} {answer['findings']}")
            if not all(one["message"].endswith("; not instrumented: libgate.so") for one in answer["findings"]):
                wrong.append(f"{where}: {answer['findings']}")
            if done.stdout.count("not instrumented: libgate.so; what such a library") != races:
                wrong.append(f"{where}: {done.stdout}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
