#!/usr/bin/env python3
"""300 threads and many locks with all detectors and little memory: the program runs on within the limit, nothing false is
said, and what was dropped is counted and said.

usage: many_locks_test.py --heddle TOOL [--locks N] [--memory SIZE,…] [--engines controlled,free]

The limit is on what heddle adds to what the program has without it; besides, threads and fixed tables take FIXED MB. With
100000 locks and 512M this is a measurement: it prints what the process had at most, with and without detectors.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).parent / "many_locks.cpp"
THREADS = 300
FIXED = 8
PRECISE = {"fasttrack", "goldilocks", "goodlock", "misuse"}
ALL = "fasttrack,goldilocks,eraser,atomrace,avio,goodlock,misuse,check-then-act"
# Quick ways through the program: what is measured is memory.
QUICK = {"controlled": ["--strategy", "round-robin:1000000"], "free": ["--noise", "placement=random-all,seeding=yield,frequency=0"]}


def megabytes(size: str) -> int:
    return int(size[:-1]) * {"M": 1, "G": 1024}[size[-1]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--locks", type=int, default=30000)
    parser.add_argument("--memory", default="4M")
    parser.add_argument("--engines", default="controlled,free")
    options = parser.parse_args()
    heddle = str(Path(options.heddle).absolute())
    wrong = []
    with tempfile.TemporaryDirectory(prefix="heddle-many-locks-") as scratch:
        directory = Path(scratch)
        binary, most, result = directory / "many_locks", directory / "most", directory / "result.json"
        subprocess.run([heddle, "c++", "-std=c++20", "-g", "-O1", "-pthread", str(SOURCE), "-o", str(binary)], check=True)
        alone = directory / "alone"
        subprocess.run(["g++", "-std=c++20", "-g", "-O1", "-pthread", str(SOURCE), "-o", str(alone)], check=True)
        subprocess.run([str(alone), str(THREADS), str(options.locks), str(most)], check=True)
        native = int(most.read_text()) // 1024
        for engine in options.engines.split(","):
            for memory in ["", *options.memory.split(",")]:
                command = [heddle, "run", "--engine", engine, *QUICK[engine], "--runs", "1", "--seed", "1", "--timeout", "300s"]
                command += ["--detect", ALL, "--memory", memory] if memory else []
                command += ["--json", str(result), "--out", str(directory / "out"), "--", str(binary), str(THREADS)]
                begun = time.monotonic()
                done = subprocess.run([*command, str(options.locks), str(most)], capture_output=True, text=True,
                                      stdin=subprocess.DEVNULL)
                seconds = time.monotonic() - begun
                where = f"{engine}, {memory or 'no detectors'}"
                if done.returncode != 0:
                    wrong.append(f"{where}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
                    continue
                answer = json.loads(result.read_text(encoding="utf-8"))
                size = int(most.read_text()) // 1024
                said = "were left out, for want of memory" in done.stdout + done.stderr
                if said != (answer["detection_dropped"] > 0):
                    wrong.append(f"{where}: {answer['detection_dropped']} dropped, and that is {'' if said else 'not '}said")
                limit = megabytes(memory or "512M")
                if size - native > limit + FIXED:
                    wrong.append(f"{where}: {size - native} MB more than the program has alone")
                if memory == "4M" and not said:
                    wrong.append(f"{where}: it all fitted, so this test shows nothing")
                wrong += [f"{where}: {finding['detector']} says {finding['message']}" for finding in answer["findings"]
                          if finding["detector"] in PRECISE]
                print(f"{where}: {size} MB at most, {size - native} more than the program alone; {answer['detection_dropped']} dropped; "
                      f"{seconds:.0f} s", flush=True)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
