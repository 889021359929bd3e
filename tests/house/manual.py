#!/usr/bin/env python3
"""Checks that docs/manual.md and the tool's --help agree: every command and option of one is in the other.
usage: manual.py ROOT HEDDLE"""

import re
import subprocess
import sys
from pathlib import Path

import tree

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
COMMAND = re.compile(r"^  ([a-z+]+)\s{2,}|^  heddle ([a-z+]+)\b", re.M)
# Ours by name, but of other programs.
FOREIGN = {"--install", "--help", "--version", "--its-own-option"}


def says(tool: str, *words: str) -> str:
    done = subprocess.run([tool, *words], capture_output=True, text=True, timeout=20)
    return done.stdout + done.stderr


def problems(root: Path, tool: str) -> list[str]:
    manual = (root / "docs/manual.md").read_text()
    commands = {a or b for a, b in COMMAND.findall(says(tool, "--help"))} - {"heddle"}
    found = [] if commands else ["heddle --help names no command"]
    offered = set()
    for command in sorted(commands - {"c++", "cc"}):
        offered |= set(OPTION.findall(says(tool, command, "--help")))
    offered -= FOREIGN
    described = set(OPTION.findall(manual)) - FOREIGN
    found += [f"docs/manual.md: nothing about the command {c}" for c in sorted(commands)
              if not re.search(rf"`(heddle )?{re.escape(c)}\b", manual)
              and not re.search(rf"`heddle {re.escape(c)}`", manual)]
    found += [f"docs/manual.md: nothing about {o}" for o in sorted(offered - described)]
    found += [f"docs/manual.md: describes {o}, which no --help offers" for o in sorted(described - offered)]
    return found


if __name__ == "__main__":
    sys.exit(tree.report(problems(Path(sys.argv[1]), sys.argv[2]), "the manual"))
