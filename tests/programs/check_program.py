#!/usr/bin/env python3
"""Runs one test program under heddle and compares what comes of it with the verdict at the head of its source.

usage: check_program.py --heddle TOOL --source FILE --name NAME [--program BINARY] [--compiler CXX] [--runs N]

Without --program the source is built first, by the wrapper, with --compiler if one is given. Exits 0 when the verdict
holds, 1 with sentences on what differs, 77 when heddle says that it cannot do this here.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import header

UNSUPPORTED = 77
PRECISE = "fasttrack,goldilocks,goodlock,misuse"
RUNS_WITH_DETECTORS = 3
STRATEGIES_WITH_DETECTORS = {"dfs", "random", "pct", "portfolio"}  # bench/correct --detect has the time for all
NOT_FOR_EVERY_PROGRAM = {"replay"}  # it needs a schedule to follow


class Mismatch(Exception):
    """The verdict does not hold; the text says how."""


class Unsupported(Exception):
    """heddle exited 77."""


def call(command: list[str], allowed: set[int], cwd: Path) -> subprocess.CompletedProcess:
    done = subprocess.run(command, cwd=cwd, text=True, errors="replace", capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode == UNSUPPORTED:
        raise Unsupported(done.stderr.strip() or done.stdout.strip())
    if done.returncode not in allowed:
        raise Mismatch(
            f"`{' '.join(command)}` exited {done.returncode}, not {' or '.join(map(str, sorted(allowed)))}\n"
            f"{tail(done.stdout)}{tail(done.stderr)}")
    return done


def tail(text: str, lines: int = 40) -> str:
    kept = text.splitlines()[-lines:]
    return "".join(f"  | {line}\n" for line in kept)


def build(heddle: str, program: header.Program, compiler: str | None, directory: Path) -> Path:
    """As tests.cmake does, for use by hand and for other compilers."""
    c_source = program.source.suffix == ".c"
    binary = directory / program.name
    environment = dict(os.environ)
    if compiler:
        environment["HEDDLE_CC" if c_source else "HEDDLE_CXX"] = compiler
    command = [heddle, "cc" if c_source else "c++", "-std=gnu11" if c_source else "-std=c++20", "-g", "-pthread"]
    command += (program.build or ["-O1"]) + program.flags + [str(program.source), "-o", str(binary)] + program.link
    done = subprocess.run(command, env=environment, text=True, capture_output=True)
    if done.returncode == UNSUPPORTED:
        raise Unsupported(done.stderr.strip())
    if done.returncode != 0:
        raise Mismatch(f"it does not build:\n{tail(done.stderr)}")
    return binary


def run_command(heddle: str, program: header.Program, strategy: str, runs: int, binary: Path, directory: Path):
    command = [heddle, "run", "--quiet", "--runs", str(runs), "--seed", str(program.seed)]
    command += ["--json", str(directory / "result.json"), "--out", str(directory / "out")]
    if program.engine != "free":
        command += ["--strategy", strategy]
    if program.engine:
        command += ["--engine", program.engine]
    if program.level:
        command += ["--level", program.level]
    command += program.options
    return command + ["--", str(binary)]


def load(directory: Path) -> dict:
    return json.loads((directory / "result.json").read_text(encoding="utf-8"))


def check_failing(heddle: str, program: header.Program, runs: int, binary: Path, directory: Path) -> str:
    call(run_command(heddle, program, program.strategy, runs, binary, directory), {1}, directory)
    result = load(directory)
    if not result["failures"]:
        raise Mismatch("heddle exited 1, but its JSON lists no failure")
    failure = result["failures"][0]
    if failure["kind"] not in program.kinds:
        raise Mismatch(f"the failure is a {failure['kind']} ({failure['message']}), not a {' or '.join(program.kinds)}")
    if not 1 <= failure["first_run"] <= runs:
        raise Mismatch(f"first_run is {failure['first_run']}, outside the {runs} runs that were made")
    if program.engine == "free":
        return f"{failure['kind']} in run {failure['first_run']}"

    again, asked = failure["reproduced"].split(",")[0].split("/")
    if again != asked:
        raise Mismatch(f"the failure was reproduced {failure['reproduced']}")
    if program.replays:
        folder = directory / failure["directory"]
        replay = call([heddle, "replay", str(folder), "--times", str(program.replays)], {1}, directory)
        last = replay.stdout.strip().splitlines()[-1]
        wanted = f"reproduced {program.replays}/{program.replays}"
        if not last.startswith(wanted):
            raise Mismatch(f"replay ends with \"{last}\", not \"{wanted}\"")
        if result["fidelity_percent"] != 100:
            raise Mismatch(f"runs made again had other events: fidelity {result['fidelity_percent']}%, not 100%")
    return f"{failure['kind']} in run {failure['first_run']}, {failure['preemptions_after']} preemptions"


def strategies(heddle: str, program: header.Program, directory: Path) -> list[str]:
    if program.strategy != "every":
        return [program.strategy]
    listed = call([heddle, "list", "strategies"], {0}, directory).stdout.splitlines()
    names = [line.split()[0] for line in listed if line.strip()]
    excepted = NOT_FOR_EVERY_PROGRAM | {program.labels.get("EXCEPT", "").split(":")[0]}
    return [name for name in names if name not in excepted]


def check_quiet(heddle: str, program: header.Program, tried: list[str], runs: int, binary: Path, directory: Path) -> str:
    """No precise detector says a word, either. They need every access."""
    if program.level and program.level != "memory":
        return "no detector at this level"
    few = min(runs, RUNS_WITH_DETECTORS)
    quiet = []
    for strategy in tried:
        if program.strategy == "every" and strategy not in STRATEGIES_WITH_DETECTORS:
            continue
        command = run_command(heddle, program, strategy, few, binary, directory)
        at = command.index("--")
        call(command[:at] + ["--detect", PRECISE, "--no-minimize"] + command[at:], {0}, directory)
        for finding in load(directory)["findings"]:
            raise Mismatch(f"under {strategy}: {finding['detector']} reports {finding['message']}")
        quiet.append(strategy)
    return f"no finding in {few} under each of {', '.join(quiet)}"


def check_passing(heddle: str, program: header.Program, runs: int, binary: Path, directory: Path) -> str:
    tried = strategies(heddle, program, directory)
    for strategy in tried:
        try:
            call(run_command(heddle, program, strategy, runs, binary, directory), {0}, directory)
        except Mismatch as wrong:
            raise Mismatch(f"under {strategy}: {wrong}") from None
        if load(directory)["failures"]:
            raise Mismatch(f"under {strategy}: heddle exited 0, but its JSON lists failures")
        left = load(directory)["uncontrolled_calls"]
        if program.labels.get("CONTROL") == "whole" and left:
            raise Mismatch(f"under {strategy}: calls left control: {', '.join(left)}")
    quiet = check_quiet(heddle, program, tried, runs, binary, directory)
    return f"no failure in {runs} runs under each of {', '.join(tried)}; {quiet}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--source", required=True, type=Path)
    parser.add_argument("--name", required=True)
    parser.add_argument("--program", type=Path)
    parser.add_argument("--compiler")
    parser.add_argument("--runs", type=int, help="instead of what WITHIN says")
    arguments = parser.parse_args()

    known = {program.name: program for program in header.programs(arguments.source)}
    program = known[arguments.name]
    heddle = str(Path(arguments.heddle).absolute())
    with tempfile.TemporaryDirectory(prefix="heddle-program-") as scratch:
        directory = Path(scratch)
        try:
            binary = arguments.program or build(heddle, program, arguments.compiler, directory)
            check = check_failing if program.kinds else check_passing
            seen = check(heddle, program, arguments.runs or program.runs, binary.absolute(), directory)
        except Unsupported as reason:
            print(f"{program.name}: skipped: {reason}")
            return UNSUPPORTED
        except Mismatch as wrong:
            print(f"{program.name}: {wrong}", file=sys.stderr)
            return 1
    print(f"{program.name}: {seen}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
