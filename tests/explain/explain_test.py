#!/usr/bin/env python3
"""Hunts one labelled program, then checks its minimal schedule, its explanation and the text at 80 and 100 columns.

usage: explain_test.py --heddle TOOL [--update] NAME

The texts are in golden/NAME.COLUMNS.txt; --update writes them anew, to be read before they are committed.
"""

import argparse
import importlib.machinery
import importlib.util
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
WIDTHS = (80, 100)
MOST_LINES = 40


def load_bench():
    """bench/explain knows how to build a labelled program and to compare a failure with its labels."""
    loader = importlib.machinery.SourceFileLoader("bench_explain", str(TOP / "bench" / "explain"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def call(command: list[str], directory: Path, status: int) -> str:
    done = subprocess.run(command, cwd=directory, text=True, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != status:
        raise SystemExit(f"{' '.join(command[1:])} exited {done.returncode}, not {status}:\n{done.stdout}{done.stderr}")
    return done.stdout


def check_golden(wrong: list[str], name: str, width: int, text: str, update: bool) -> None:
    for line in text.splitlines():
        if len(line) > width:
            wrong.append(f"wider than {width} columns: {line}")
    file = HERE / "golden" / f"{name}.{width}.txt"
    if update:
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    elif not file.exists() or file.read_text(encoding="utf-8") != text:
        wrong.append(f"at {width} columns the text is not that of {file.name}:\n{text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("name")
    options = parser.parse_args()
    heddle = str(Path(options.heddle).resolve())
    bench = load_bench()
    program = bench.labelled([options.name])[0]
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="heddle-explain-") as scratch:
        directory = Path(scratch)
        try:
            # By its name alone: assertions print the path.
            shutil.copy(program.source, directory)
            binary = bench.build(heddle, program, directory, program.source.name)
        except subprocess.CalledProcessError as error:
            if error.returncode == 77:
                return 77
            raise
        shown = call([heddle, "run", "--quiet", "--runs", str(program.runs), "--seed", str(program.seed), "--strategy",
                      program.strategy, "--", f"./{binary.name}"], directory, 1)
        if len(shown.splitlines()) > MOST_LINES:
            wrong.append(f"a failure takes {len(shown.splitlines())} lines")
        folder = next((directory / "heddle-out" / "failures").iterdir())
        failure = json.loads((folder / "failure.json").read_text(encoding="utf-8"))
        failure |= {"seconds": 0, "same_signature": True}
        failure["replayed"] = call([heddle, "replay", str(folder), "--times", "20"], directory, 1).splitlines()[-1]
        wrong += bench.judge(program, failure)[1].values()
        for width in WIDTHS:
            text = call([heddle, "explain", str(folder), "--width", str(width)], directory, 0)
            check_golden(wrong, options.name, width, text, options.update)
        if "switch (" not in call([heddle, "show", str(folder)], directory, 0):
            wrong.append("show tells of no switch")
        told = call([heddle, "show", str(folder), "--width", "400"], directory, 0).splitlines()
        for blocked in failure["blocked"]:
            line = blocked["at"].split()[-1]
            if not any("for ever" in step and line in step for step in told):
                wrong.append(f"show does not say that thread {blocked['thread']} waits for ever at {line}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
