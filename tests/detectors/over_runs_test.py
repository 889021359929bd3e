#!/usr/bin/env python3
"""Circles of locks whose parts never occur in one run: predicted from several, confirmed by steering, kept over campaigns.

usage: over_runs_test.py --heddle TOOL

round-robin with a long slice takes the threads one after the other, so that a run shows what the program does by itself.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).parent / "over_runs.cpp"
ONE_AFTER_THE_OTHER = ["--strategy", "round-robin:1000000", "--seed", "1", "--max-stall", "0"]
# case, is a circle over runs
PREDICTED = [("opposite", True), ("same", False), ("gated", False), ("behind_readers", True), ("readers", False),
             ("joined", False), ("one_thread", False), ("on_the_heap", True), ("waits_with_a_lock", True),
             ("first_come", True)]


class Tests:
    def __init__(self, heddle: str, directory: Path):
        self.heddle, self.directory, self.wrong = heddle, directory, []
        self.binary = directory / "over_runs"
        subprocess.run([heddle, "c++", "-std=c++20", "-g", "-O1", "-pthread", str(SOURCE), "-o", str(self.binary)], check=True)

    def run(self, case: str, number: str, *options: str, out: str = "out") -> dict:
        result = self.directory / "result.json"
        command = [self.heddle, "run", "--quiet", *ONE_AFTER_THE_OTHER, *options, "--json", str(result)]
        command += ["--out", str(self.directory / out), "--", str(self.binary), case, number]
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=100)
        if done.returncode not in (0, 1):
            sys.exit(f"{case}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        answer = json.loads(result.read_text(encoding="utf-8"))
        if (done.returncode == 1) != bool(answer["failures"]):
            self.wrong.append(f"{case}: exit status {done.returncode} with {len(answer['failures'])} failures")
        return answer

    def expect(self, holds: bool, sentence: str) -> None:
        if not holds:
            self.wrong.append(sentence)

    def predicted(self) -> None:
        for case, circle in PREDICTED:
            for jobs in ("1", "3"):
                answer = self.run(case, "{run}", "--runs", "8", "--detect", "goodlock", "--jobs", jobs)
                found = [(f["finding"], f["certainty"], f["count"], f["over_runs"]) for f in answer["findings"]]
                self.expect(found == ([("lock-order", "predicted", 0, [1, 2])] if circle else []),
                            f"{case} with {jobs} jobs: {found}")
                self.expect(not answer["failures"], f"{case}: fails without being asked to")

    def fails_on(self) -> None:
        answer = self.run("opposite", "{run}", "--runs", "8", "--fail-on", "lock-order")
        failures = [(f["kind"], f["finding"], f["first_run"]) for f in answer["failures"]]
        self.expect(failures == [("finding", "lock-order", 2)], f"--fail-on lock-order: {failures}")
        self.expect(answer["failures"][0]["reproduced"].startswith("not replayable"), "it claims to be replayable")

    def confirmed(self) -> None:
        for case, real in (("first_come", True), ("opposite", False)):
            answer = self.run(case, "{run}", "--runs", "64", "--confirm")
            failures = [(f["kind"], f["strategy"], f["reproduced"]) for f in answer["failures"]]
            self.expect(failures == ([("deadlock", "confirm", "10/10")] if real else []), f"{case} --confirm: {failures}")
            certain = [f["certainty"] for f in answer["findings"] if f["finding"] == "lock-order"]
            self.expect(certain == ["confirmed" if real else "predicted"], f"{case} --confirm: {certain}")
        answer = self.run("race", "0", "--runs", "64", "--confirm")
        failures = [(f["kind"], f["finding"], f["reproduced"]) for f in answer["failures"]]
        self.expect(failures == [("finding", "race", "10/10")], f"race --confirm: {failures}")
        certain = [f["certainty"] for f in answer["findings"]]
        self.expect(certain == ["confirmed"], f"race --confirm: {certain}")
        replay = subprocess.run([self.heddle, "replay", answer["failures"][0]["directory"], "--times", "5"], text=True,
                                capture_output=True, cwd=self.directory)
        self.expect(replay.returncode == 1, f"the confirmed race is not replayed:\n{replay.stdout}{replay.stderr}")
        certain = [f["certainty"] for f in self.run("race", "0", "--runs", "8", "--detect", "fasttrack")["findings"]]
        self.expect(certain == ["predicted"], f"race: {certain}")

    def over_campaigns(self) -> None:
        self.run("opposite", "2", "--runs", "4", "--detect", "goodlock", out="kept")
        alone = self.run("opposite", "3", "--runs", "4", "--detect", "goodlock", out="kept")
        self.expect(not alone["findings"], "a campaign that starts from nothing knows of another")
        both = self.run("opposite", "5", "--runs", "4", "--detect", "goodlock", "--resume", out="kept")
        found = [(f["finding"], 0 in f["over_runs"]) for f in both["findings"]]
        self.expect(found == [("lock-order", True)], f"over campaigns: {found}")

    # A campaign that is taken up again says what it said before, once.
    def resumed(self) -> None:
        first = self.run("opposite", "{run}", "--runs", "4", "--detect", "goodlock", out="resumed")
        again = self.run("opposite", "{run}", "--runs", "4", "--detect", "goodlock", "--resume", out="resumed")
        self.expect(again["resumed_from"] == 4, f"resumed from {again['resumed_from']}")
        strip = lambda answer: [(f["signature"], f["over_runs"], f["certainty"]) for f in answer["findings"]]
        self.expect(strip(first) == strip(again), f"resumed: {strip(first)}, then {strip(again)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    heddle = str(Path(parser.parse_args().heddle).absolute())
    with tempfile.TemporaryDirectory(prefix="heddle-over-runs-") as scratch:
        tests = Tests(heddle, Path(scratch))
        tests.predicted()
        tests.fails_on()
        tests.confirmed()
        tests.over_campaigns()
        tests.resumed()
    for line in tests.wrong:
        print(line, file=sys.stderr)
    return 1 if tests.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
