#!/usr/bin/env python3
"""One cell of the matrix: gets primitives.cpp ready in one way, with one compiler, at one level of optimisation; then
runs it on its own and under heddle.

usage: matrix.py --heddle TOOL --way wrapper|package|tsan|plain --compiler g++ --optimisation -O1 --directory DIR
                 [--prefix INSTALLED]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCE = HERE / "primitives.cpp"
EXPECTED = "primitives: all well\n"
RUNS = 3
NOISE = "placement=random-all,seeding=yield,frequency=100,strength=2"


def run(command: list, **options) -> subprocess.CompletedProcess:
    print("$", *command, flush=True)
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=180, **options)
    sys.stdout.write(done.stdout[-4000:])
    sys.stderr.write(done.stderr[-4000:])
    return done


def require(holds: bool, what: str) -> None:
    if not holds:
        sys.exit(f"matrix: {what}")


def compiled(command: list, program: Path, **options) -> Path:
    flags = ["-std=c++20", "-g", "-Wall", "-Wextra", SOURCE, "-o", program, "-pthread", "-latomic"]
    require(run([*command, *flags], **options).returncode == 0, "the program does not build")
    return program


def by_wrapper(cell) -> Path:
    environment = dict(os.environ, HEDDLE_CXX=cell.compiler)
    return compiled([cell.heddle, "c++", cell.optimisation], cell.directory / "primitives", env=environment)


def by_package(cell) -> Path:
    build = cell.directory / "build"
    configure = ["cmake", "-G", "Ninja", "-S", HERE / "package", "-B", build, f"-DCMAKE_PREFIX_PATH={cell.prefix}",
                 f"-DCMAKE_CXX_COMPILER={cell.compiler}", "-DCMAKE_BUILD_TYPE=Cell",
                 f"-DCMAKE_CXX_FLAGS_CELL={cell.optimisation} -g"]
    require(run(configure).returncode == 0, "the user's project does not configure")
    require(run(["cmake", "--build", build]).returncode == 0, "the user's project does not build")
    return build / "primitives"


def by_tsan(cell) -> Path:
    return compiled([cell.compiler, cell.optimisation, "-fsanitize=thread", "-Wno-tsan"],
                    cell.directory / "primitives")


def plain(cell) -> Path:
    return compiled([cell.compiler, cell.optimisation], cell.directory / "primitives")


WAYS = {"wrapper": by_wrapper, "package": by_package, "tsan": by_tsan, "plain": plain}


def runs_as_if_we_were_not_there(program: Path) -> None:
    done = run([program])
    require(done.returncode == 0, f"on its own the program exits {done.returncode}")
    require(done.stdout == EXPECTED and done.stderr == "", "on its own the program prints something else")


def survives(cell, program: Path, *options: str) -> None:
    result = cell.directory / "result.json"
    result.unlink(missing_ok=True)
    done = run([cell.heddle, "run", *options, "--runs", RUNS, "--seed", "1", "--timeout", "60s", "--quiet", "--out",
                cell.directory / "heddle-out", "--json", result, "--", program])
    require(done.returncode == 0, f"heddle run exits {done.returncode} on a correct program")
    found = json.loads(result.read_text())
    require(found["runs"] == RUNS, f"{RUNS} runs were asked for, {found['runs']} happened")
    require(found["failures"] == [], "a failure in a correct program")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", type=Path, required=True)
    parser.add_argument("--way", choices=WAYS, required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--optimisation", required=True)
    parser.add_argument("--directory", type=Path, required=True)
    parser.add_argument("--prefix", type=Path)
    cell = parser.parse_args()

    shutil.rmtree(cell.directory, ignore_errors=True)
    cell.directory.mkdir(parents=True)
    program = WAYS[cell.way](cell)
    # A TSan build that is not under heddle is TSan's: libstdc++'s futures and fences are races to it.
    if cell.way != "tsan":
        runs_as_if_we_were_not_there(program)
    survives(cell, program, "--engine", "free", "--noise", NOISE)
    survives(cell, program)
    shutil.rmtree(cell.directory)


if __name__ == "__main__":
    main()
