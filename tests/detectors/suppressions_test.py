#!/usr/bin/env python3
"""Suppressions in ThreadSanitizer's format, from outside: by function, caller, file, module, variable and library.

usage: suppressions_test.py --heddle TOOL
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = r"""
#include <mutex>
#include <pthread.h>
#include <thread>
int shared_number;
std::mutex a, b;
__attribute__((noinline)) void add_one() { shared_number++; }
__attribute__((noinline)) void worker() { add_one(); }
__attribute__((noinline)) void take(std::mutex& one, std::mutex& two) {
  const std::lock_guard outer(one);
  const std::lock_guard inner(two);
}
__attribute__((noinline)) void lets_go(std::mutex& one) { one.unlock(); }
void* idle(void* argument) { return argument; }
__attribute__((noinline)) void leaks() {
  pthread_t thread;
  pthread_create(&thread, nullptr, idle, nullptr);
}
int main() {
  std::thread one([] { worker(); take(a, b); });
  std::thread two([] { worker(); take(b, a); });
  one.join();
  two.join();
  a.lock();
  std::thread([] { lets_go(a); }).join();
  leaks();
  std::thread([] {}).join();
}
"""
EVERYTHING = {"race", "lock-order", "misuse", "leak"}
# the file, what is left
EXPECTED = [("", EVERYTHING), ("race:add_one", EVERYTHING - {"race"}), ("race:^worker$", EVERYTHING - {"race"}),
            ("race_top:add_one", EVERYTHING - {"race"}), ("race_top:worker", EVERYTHING), ("race:^shared_num*$", EVERYTHING - {"race"}),
            ("race:^add$", EVERYTHING), ("deadlock:take", EVERYTHING - {"lock-order"}), ("deadlock:add_one", EVERYTHING),
            ("mutex:lets_*", EVERYTHING - {"misuse"}), ("thread:^leaks$", EVERYTHING - {"leak"}), ("signal:*", EVERYTHING),
            ("race:suppressed.cpp$\n# a comment\nmutex:suppressed.cpp", {"lock-order", "leak"}),
            ("called_from_lib:suppressed_program", set()), ("called_from_lib:libelsewhere.so", EVERYTHING)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    heddle = str(Path(parser.parse_args().heddle).absolute())
    wrong = []
    with tempfile.TemporaryDirectory(prefix="heddle-suppressions-") as scratch:
        directory = Path(scratch)
        source, binary, rules = directory / "suppressed.cpp", directory / "suppressed_program", directory / "rules"
        source.write_text(PROGRAM, encoding="utf-8")
        subprocess.run([heddle, "c++", "-std=c++20", "-g", "-O1", "-pthread", str(source), "-o", str(binary)], check=True)
        for text, left in EXPECTED:
            rules.write_text(text + "\n", encoding="utf-8")
            command = [heddle, "run", "--quiet", "--runs", "12", "--seed", "1", "--keep-going", "--no-minimize", "--max-stall", "0"]
            command += ["--detect", "fasttrack,goodlock,misuse", "--suppressions", str(rules)]
            command += ["--json", str(directory / "result.json"), "--out", str(directory / "out"), "--", str(binary)]
            done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60)
            found = {finding["finding"] for finding in json.loads((directory / "result.json").read_text())["findings"]}
            if found != left:
                wrong.append(f"{text!r}: {sorted(found)} left, not {sorted(left)}\n{done.stderr}")
        rules.write_text("rance:x\n", encoding="utf-8")
        done = subprocess.run([heddle, "run", "--suppressions", str(rules), "--", str(binary)], capture_output=True, text=True)
        if done.returncode != 2 or "rules:1" not in done.stderr:
            wrong.append(f"a wrong type: exit status {done.returncode}, {done.stderr}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
