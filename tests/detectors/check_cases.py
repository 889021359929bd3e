#!/usr/bin/env python3
"""Runs every case of one corpus file under heddle's detectors and compares what they find with the labels.

usage: check_cases.py --heddle TOOL --source FILE [--compiler CXX] [--engine controlled|free] [--strategy NAME] [--case NAME]

fasttrack and goldilocks must each report exactly the labelled races, goodlock the lock orders, misuse the misuses and
leaks. avio and check-then-act must report what is labelled with their names, and all else that they see as hints. eraser
must report what its own label says, where it has one; atomrace no race that is not one.
Exits 0 when every label holds, 1 with a line per difference, 77 when the compiler is not there.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

PRECISE = ("fasttrack", "goldilocks", "goodlock", "misuse")
IMPRECISE = ("eraser", "atomrace")
CANDIDATES = ("avio", "check-then-act")
ALL = PRECISE + IMPRECISE + CANDIDATES
RUNS = 12
FLAGS = ["-g", "-pthread"]
IN_C = {"g++": "gcc", "clang++-14": "clang-14"}


@dataclass
class Case:
    name: str
    finds: set = field(default_factory=set)  # ("race", "counter"), ("lock-order", ""), ("misuse", text)
    eraser: set | None = None
    runs: int = RUNS

    def races(self) -> set:
        return {label for label in self.finds if label[0] == "race"}


def label(words: str) -> set:
    kind, _, rest = words.strip().partition(" ")
    return set() if kind == "nothing" else {(kind, rest.strip())}


def read_cases(source: Path) -> list[Case]:
    cases: list[Case] = []
    for line in source.read_text(encoding="utf-8").splitlines():
        match = re.match(r"// (CASE|FINDS|ERASER|RUNS)\s+(.*)", line)
        if not match:
            continue
        word, rest = match.groups()
        if word == "CASE":
            cases.append(Case(rest.strip()))
        elif word == "FINDS":
            cases[-1].finds |= label(rest)
        elif word == "ERASER":
            cases[-1].eraser = (cases[-1].eraser or set()) | label(rest)
        else:
            cases[-1].runs = int(rest)
    return cases


def variable(what: str) -> str:
    if what.startswith("a heap block"):
        return "heap"
    if "stack" in what:
        return "stack"
    return re.split(r"[.\[+]", what.strip("'").split("::")[-1])[0]


def short(finding: dict) -> tuple[str, str]:
    """What a label would call it."""
    kind, message = finding["finding"], finding["message"]
    if kind == "race":
        begins = "no lock is held at every access to" if finding["detector"] == "eraser" else "data race on"
        return kind, variable(re.match(rf"{begins} (.*?): ", message).group(1))
    if kind == "sleep-sync":
        return kind, variable(re.search(r"orders two accesses to (.*?): ", message).group(1))
    if kind == "atomicity":
        return finding["detector"], variable(re.match(r"atomicity of (.*?) broken: ", message).group(1))
    if kind in ("misuse", "leak"):
        return kind, re.split(r" by (?:thread|the main)", message)[0]
    return kind, ""


def build(heddle: str, source: Path, compiler: str | None, binary: Path, optimise: str = "1") -> None:
    environment = dict(os.environ)
    if compiler:
        environment |= {"HEDDLE_CXX": compiler, "HEDDLE_CC": IN_C.get(compiler, compiler)}
    language = ["cc", "-std=gnu11"] if source.suffix == ".c" else ["c++", "-std=c++20"]
    done = subprocess.run([heddle, *language, *FLAGS, f"-O{optimise}", str(source), "-o", str(binary)],
                          env=environment, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{source.name} does not build:\n{done.stderr}")


def findings(arguments, case: Case, binary: Path, directory: Path) -> dict[str, set]:
    result = directory / "result.json"
    command = [arguments.heddle, "run", "--quiet", "--keep-going", "--no-minimize", "--runs", str(case.runs)]
    command += ["--seed", "1", "--detect", ",".join(ALL), "--engine", arguments.engine]
    if arguments.strategy:
        command += ["--strategy", arguments.strategy]
    command += ["--timeout", "5s", "--json", str(result), "--out", str(directory / "out"), "--", str(binary), case.name]
    done = subprocess.run(command, cwd=directory, text=True, errors="replace", capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1) or "no such case" in done.stdout:
        sys.exit(f"{case.name}: `{' '.join(command)}` exited {done.returncode}\n{done.stdout}{done.stderr}")
    found: dict[str, set] = {name: set() for name in ALL}
    for finding in json.loads(result.read_text(encoding="utf-8"))["findings"]:
        if finding["status"] == "finding":
            found[finding["detector"]].add(short(finding))
    return found


def differences(case: Case, found: dict[str, set], exact: bool) -> list[str]:
    wanted = {"fasttrack": case.races() | {one for one in case.finds if one[0] == "sleep-sync"}, "goldilocks": case.races(),
              "goodlock": {one for one in case.finds if one[0] == "lock-order"},
              "misuse": {one for one in case.finds if one[0] in ("misuse", "leak")},
              "eraser": case.eraser, "atomrace": case.races()}
    wanted |= {name: {one for one in case.finds if one[0] == name} for name in CANDIDATES}
    lines = []
    for detector, labels in wanted.items():
        if labels is None:
            continue
        for kind, what in sorted(found[detector] - labels):
            lines.append(f"{case.name}: {detector} reports {kind} {what}, which is not there")
        if not exact or detector == "atomrace":
            continue  # only overlaps that happened
        for kind, what in sorted(labels - found[detector]):
            lines.append(f"{case.name}: {detector} does not report {kind} {what}")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--source", required=True, type=Path)
    parser.add_argument("--compiler")
    parser.add_argument("--optimise", default="1", help="what follows -O")
    parser.add_argument("--engine", default="controlled")
    parser.add_argument("--strategy")
    parser.add_argument("--case")
    parser.add_argument("--exact", action="store_true", help="the free engine, too, must find all: what no schedule hides")
    arguments = parser.parse_args()
    arguments.heddle = str(Path(arguments.heddle).absolute())
    if arguments.compiler and shutil.which(arguments.compiler) is None:
        print(f"{arguments.compiler} is not here")
        return 77
    cases = [case for case in read_cases(arguments.source) if arguments.case in (None, case.name)]
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="heddle-detectors-") as scratch:
        directory = Path(scratch)
        binary = directory / arguments.source.stem
        build(arguments.heddle, arguments.source, arguments.compiler, binary, arguments.optimise)
        for case in cases:
            # The free engine shows what the kernel happens to interleave: it must not invent anything.
            exact = arguments.engine == "controlled" or arguments.exact
            wrong += differences(case, findings(arguments, case, binary, directory), exact)
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"{arguments.source.name}: {len(cases)} cases, {len(wrong)} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
