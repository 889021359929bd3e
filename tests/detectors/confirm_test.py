#!/usr/bin/env python3
"""--confirm makes a deadlock of a lock order that no run met, and leaves alone one that cannot close.

usage: confirm_test.py --heddle TOOL

Every run but the steered ones takes the threads one after the other, so what is found was steered into.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = Path(__file__).parent / "cases" / "deadlocks.cpp"
ONE_AFTER_THE_OTHER = ["--strategy", "round-robin:1000000", "--seed", "1", "--runs", "64", "--max-stall", "0"]
# case, may really deadlock
EXPECTED = [("opposite_orders", True), ("circle_of_three", True), ("opposite_orders_that_never_meet", False),
            ("same_order", False)]


def run(heddle: str, binary: Path, case: str, directory: Path, *options: str) -> dict:
    result = directory / "result.json"
    command = [heddle, "run", "--quiet", *ONE_AFTER_THE_OTHER, *options, "--json", str(result), "--out", str(directory / "out")]
    done = subprocess.run([*command, "--", str(binary), case], cwd=directory, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=100)
    if done.returncode not in (0, 1):
        sys.exit(f"{case}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(result.read_text(encoding="utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    heddle = str(Path(parser.parse_args().heddle).absolute())
    wrong = []
    with tempfile.TemporaryDirectory(prefix="heddle-confirm-") as scratch:
        directory = Path(scratch)
        binary = directory / "deadlocks"
        subprocess.run([heddle, "c++", "-std=c++20", "-g", "-O1", "-pthread", str(CASES), "-o", str(binary)], check=True)
        for case, real in EXPECTED:
            if run(heddle, binary, case, directory, "--detect", "goodlock")["failures"]:
                wrong.append(f"{case}: fails without --confirm, so this test shows nothing")
            failures = run(heddle, binary, case, directory, "--confirm")["failures"]
            kinds = [(failure["kind"], failure["strategy"]) for failure in failures]
            if kinds != ([("deadlock", "confirm")] if real else []):
                wrong.append(f"{case}: {kinds} with --confirm")
            if real and failures and failures[0]["reproduced"] != "10/10":
                wrong.append(f"{case}: reproduced {failures[0]['reproduced']}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
