#!/usr/bin/env python3
"""Checks that C and C++ files are as clang-format 14 leaves them. usage: format.py ROOT"""

import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tree

BATCH = 16


def formatter() -> str:
    return shutil.which("clang-format-14") or shutil.which("clang-format") or "clang-format-14"


def unformatted(batch: list[Path]) -> list[Path]:
    command = [formatter(), "-style=file", "--dry-run", "-Werror", "-ferror-limit=1"]
    if subprocess.run(command + batch, capture_output=True).returncode == 0:
        return []
    return [p for p in batch if subprocess.run(command + [p], capture_output=True).returncode != 0]


def problems(root: Path) -> list[str]:
    every = list(tree.files(root, tree.CPP))
    batches = [every[i:i + BATCH] for i in range(0, len(every), BATCH)]
    with ThreadPoolExecutor(2) as pool:
        found = [p for batch in pool.map(unformatted, batches) for p in batch]
    return [f"{p.relative_to(root)}: not formatted; run clang-format-14 -i on it" for p in found]


if __name__ == "__main__":
    sys.exit(tree.report(problems(Path(sys.argv[1])), "formatting"))
