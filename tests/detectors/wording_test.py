#!/usr/bin/env python3
"""How findings are told: locks that are held to read, who created a thread, and what eraser claims.

usage: wording_test.py --heddle TOOL

Two threads count under a reader-writer lock that both hold to read: a data race, in which everybody holds a lock. One thread
after another uses `handed` without a lock: eraser calls it, and must not call it a race.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = r"""
#include <cstdlib>
#include <shared_mutex>
#include <thread>
std::shared_mutex gate;
int counter, handed;
__attribute__((noinline)) void count() {
  const std::shared_lock lock(gate);
  counter++;
}
__attribute__((noinline)) void start_both() {
  std::thread one(count), two(count);
  one.join();
  two.join();
}
__attribute__((noinline)) void use() { handed++; }
int main() {
  std::thread(use).join();
  std::thread(use).join();
  std::thread(use).join();
  start_both();
  if (counter != 2) std::abort();
}
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    heddle = str(Path(parser.parse_args().heddle).absolute())
    wrong = []

    def expect(holds: bool, what: str) -> None:
        if not holds:
            wrong.append(what)

    with tempfile.TemporaryDirectory(prefix="heddle-wording-") as scratch:
        directory = Path(scratch)
        source, binary, result = directory / "wording.cpp", directory / "wording", directory / "result.json"
        source.write_text(PROGRAM, encoding="utf-8")
        subprocess.run([heddle, "c++", "-std=c++20", "-g", "-O1", "-pthread", str(source), "-o", str(binary)], check=True)
        command = [heddle, "run", "--seed", "1", "--runs", "200", "--json", str(result), "--out", str(directory / "out")]
        found = subprocess.run([*command, "--keep-going", "--no-minimize", "--detect", "fasttrack,eraser", "--", str(binary)],
                               capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)
        findings = json.loads(result.read_text(encoding="utf-8"))["findings"]
        races = [one for one in findings if one["detector"] == "fasttrack"]
        expect(len(races) > 0, f"no race is found: {found.stdout}{found.stderr}")
        for race in races:
            expect("data race on 'counter'" in race["message"] and race["certainty"] == "predicted", f"fasttrack: {race}")
            accesses = [part for part in race["evidence"] if " by " in part["what"]]
            expect(all("'gate' to read" in " ".join(part["locks"]) for part in accesses), f"not to read: {accesses}")
            created = [part for part in race["evidence"] if "was created" in part["what"]]
            expect(len(created) == 2, f"two threads were created: {race['evidence']}")
            expect(all(part["frames"][0].startswith("start_both") for part in created), f"created elsewhere: {created}")
        disciplines = [one for one in findings if one["detector"] == "eraser"]
        for one in disciplines:
            expect("race" not in one["message"] and one["certainty"] == "candidate", f"eraser: {one}")
        messages = " ".join(one["message"] for one in disciplines)
        expect("no lock is held at every access to 'handed': " in messages and "with none" in messages, f"handed: {messages}")
        expect("no lock is held at every access to 'counter': " in messages and "with 'gate' to read" in messages,
               f"counter: {messages}")
        # The failure itself: its lanes, and what kind of bug it is.
        failed = subprocess.run([*command, "--", str(binary)], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)
        expect("[gate to read]" in failed.stdout, f"lanes do not say that the lock is held to read:\n{failed.stdout}")
        expect("data race: " in failed.stdout, f"no data race:\n{failed.stdout}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
