"""What the house checks share: which files are ours, and how a check reports."""

import os
import sys
from pathlib import Path

CPP = {".h", ".hpp", ".cpp", ".cc", ".c"}


def files(root: Path, suffixes: set[str] | None = None):
    """Every file of the source tree in a stable order; build trees, results and hidden caches left out."""
    for directory, names, leaves in os.walk(root):
        here = Path(directory)
        names[:] = sorted(
            n for n in names
            if n not in {".git", ".cache", "__pycache__", "heddle-out"}
            and not (n.startswith("build") and (here / n / "CMakeCache.txt").exists())
            and not (here == root and (n == "build" or n.startswith("build-")))
        )
        for leaf in sorted(leaves):
            if leaf == ".git":  # a linked worktree has a file in the directory's place
                continue
            if suffixes is None or Path(leaf).suffix in suffixes:
                yield here / leaf


def report(problems: list[str], checked: str) -> int:
    """Prints what is wrong, or what was looked at, and returns the exit status."""
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(f"{len(problems)} problems in {checked}", file=sys.stderr)
        return 1
    print(f"{checked}: all well")
    return 0
