#!/usr/bin/env python3
"""A fix that holds is said to hold, half a fix is found out, and a saved case replays first.

usage: verify_test.py --heddle TOOL
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Two places increase a counter; a fix locks none, one or both of them. The comment moves every line of the fixed ones.
SOURCE = """
#include <pthread.h>
static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void* first(void* unused) {
#if FIX > 0
  pthread_mutex_lock(&lock);
#endif
  counter++;
#if FIX > 0
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}
static void* second(void* unused) {
#if FIX > 1
  pthread_mutex_lock(&lock);
#endif
  counter++;
#if FIX > 1
  pthread_mutex_unlock(&lock);
#endif
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return counter != 2;
}
"""


class Test:
    def __init__(self, heddle: str, directory: Path) -> None:
        self.heddle = heddle
        self.directory = directory
        self.wrong: list[str] = []

    def call(self, *words: str) -> subprocess.CompletedProcess:
        return subprocess.run([self.heddle, *words], cwd=self.directory, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL)

    def expect(self, what: str, done: subprocess.CompletedProcess, status: int, *words: str) -> None:
        said = done.stdout + done.stderr
        if done.returncode != status or any(word not in said for word in words):
            self.wrong.append(f"{what} exited {done.returncode}, not {status} with {words}:\n{said}")

    def build(self, fix: int) -> None:
        source = "// fixed\n" * fix + SOURCE
        (self.directory / "sum.c").write_text(source, encoding="utf-8")
        built = self.call("cc", "-g", "-O1", "-pthread", f"-DFIX={fix}", "sum.c", "-o", "sum")
        if built.returncode == 77:
            raise SystemExit(77)

    def json(self, name: str) -> dict:
        return json.loads((self.directory / name).read_text(encoding="utf-8"))

    def check_cases(self, ends: str, status: int) -> None:
        done = self.call("run", "--runs", "20", "--seed", "3", "--cases", "heddle-cases", "--json", "cases.json",
                         "--", "./sum")
        self.expect("run --cases", done, status, "cases: 1 replayed", "1 of other programs")
        results = {case["name"]: case["result"] for case in self.json("cases.json")["cases"]["list"]}
        if results != {"lost-update": ends, "other": "of another program"}:
            self.wrong.append(f"the cases are {results}, not {ends}")

    def run(self) -> None:
        self.build(0)
        found = self.call("run", "--quiet", "--seed", "1", "--runs", "500", "--json", "run.json", "--", "./sum")
        self.expect("the hunt", found, 1)
        folder = self.json("run.json")["failures"][0]["directory"]
        self.expect("save", self.call("save", folder, "--name", "lost-update"), 0, "saved")
        case = self.directory / "heddle-cases" / "lost-update.json"
        other = json.loads(case.read_text(encoding="utf-8"))
        other["program"] = "/nowhere/other"
        (case.parent / "other.json").write_text(json.dumps(other), encoding="utf-8")
        self.expect("the saved case", self.call("replay", str(case), "--times", "20"), 1, "reproduced 20/20")
        self.expect("verify of no fix", self.call("verify", folder), 1, "old interleaving fails 20 of 20")
        self.expect("verify without time", self.call("verify", folder, "--for", "1ns"), 3, "old interleaving not tried", "--for")
        self.expect("verify for no time", self.call("verify", folder, "--for", "0"), 2, "--for")
        self.check_cases("failed", 1)

        # What fails in the same way as another failure of the campaign must not take that one's place.
        other = shutil.copytree(folder, Path(folder).parent / "other")
        (Path(folder) / "mark").write_text("", encoding="utf-8")
        self.build(1)
        half = self.call("verify", str(other))
        self.expect("verify of half a fix", half, 1, "still: exit status 1", "kept in", "neighbours fail")
        if " 0 of " in half.stdout.split("neighbours")[0].split(";")[-1]:
            self.wrong.append(f"no neighbour of the old schedule fails: {half.stdout}")
        rest = half.stdout.split("heddle explain ")[1].splitlines()[0]
        self.expect("the rest", self.call("replay", rest, "--times", "20"), 1, "reproduced 20/20")
        if not (Path(folder) / "mark").exists():
            self.wrong.append(f"verify replaced {folder}, which the campaign had found")

        self.build(2)
        self.expect("verify of the fix", self.call("verify", folder), 0, "old interleaving passes",
                    "; 0 of", "neighbours fail", "the failure came once in")
        self.check_cases("passed", 0)

        self.expect("no directory", self.call("run", "--cases", "nowhere", "--", "./sum"), 2, "nowhere", "heddle save")
        self.expect("the free engine", self.call("run", "--engine", "free", "--cases", "heddle-cases", "--", "./sum"), 2,
                    "controlled engine")
        (case.parent / "damaged.json").write_text("{", encoding="utf-8")
        self.expect("a damaged case", self.call("run", "--cases", "heddle-cases", "--", "./sum"), 2, "damaged.json")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    heddle = str(Path(parser.parse_args().heddle).resolve())
    with tempfile.TemporaryDirectory(prefix="heddle-verify-") as scratch:
        test = Test(heddle, Path(scratch))
        test.run()
    print("\n".join(test.wrong))
    return 1 if test.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
