#!/usr/bin/env python3
"""Runs clang-tidy with .clang-tidy's short list over src/.

A file that was clean stays clean while it, the headers of the tree and the list are the same, so a stamp per file in
the build directory remembers it: a first run takes about a second per file, the next only what was touched.

usage: tidy.py ROOT BUILD_DIRECTORY
"""

import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import tree

INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.M)


def tidy() -> str:
    return shutil.which("clang-tidy-14") or shutil.which("clang-tidy") or "clang-tidy-14"


class Digest:
    """Hash over a file and, through quoted includes, every header of the tree that it sees."""

    def __init__(self, source: Path, salt: bytes):
        self.source, self.salt, self.contents = source, salt, {}

    def _read(self, path: Path) -> bytes:
        if path not in self.contents:
            self.contents[path] = path.read_bytes()
        return self.contents[path]

    def of(self, path: Path, command: str) -> str:
        digest = hashlib.sha256(self.salt + command.encode())
        waiting, seen = [path], set()
        while waiting:
            file = waiting.pop()
            if file in seen or not file.exists():
                continue
            seen.add(file)
            content = self._read(file)
            digest.update(str(file).encode() + b"\0" + content)
            waiting += sorted(self.source / name.decode() for name in INCLUDE.findall(content))
        return digest.hexdigest()


def sources(root: Path, build: Path) -> dict[Path, str]:
    """Each source of src/ once, with the command that compiles it."""
    chosen = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["directory"], entry["file"]).resolve()
        if path.is_relative_to(root / "src") and path.exists():
            chosen.setdefault(path, entry["command"])
    return dict(sorted(chosen.items()))


def arguments(command: str, path: Path) -> list[str]:
    """What matters for parsing: definitions, include paths and the language."""
    words = shlex.split(command)
    kept = [w for w in words if w.startswith(("-D", "-I", "-std="))]
    for flag, value in zip(words, words[1:]):
        if flag == "-isystem":
            kept += [flag, value]
    return kept


def main() -> int:
    root, build = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    stamps = build / "tidy-stamps"
    stamps.mkdir(exist_ok=True)
    digest = Digest(root / "src", (root / ".clang-tidy").read_bytes())
    commands = sources(root, build)

    def look_at(path: Path) -> list[str]:
        kept = arguments(commands[path], path)
        stamp = stamps / digest.of(path, " ".join(kept))
        if stamp.exists():
            return []
        # -Wno-everything: warnings are the compilers' own affair, and clang's differ from gcc's.
        done = subprocess.run([tidy(), "--quiet", str(path), "--", *kept, "-Wno-everything"],
                              capture_output=True, text=True, cwd=root)
        lines = [l.replace(f"{root}/", "") for l in done.stdout.splitlines()
                 if ": error:" in l or ": warning:" in l]
        if done.returncode != 0 and not lines:
            return [f"{path.relative_to(root)}: clang-tidy failed: {done.stderr[-500:]}"]
        # clang 14 does not understand all of gcc 12's library; what compiles is for the build to say.
        lines = [l for l in lines if "[clang-diagnostic-error]" not in l]
        if not lines:
            stamp.touch()
        return lines

    with ThreadPoolExecutor(2) as pool:
        found = sorted({line for lines in pool.map(look_at, commands) for line in lines})
    return tree.report(found, f"clang-tidy over {len(commands)} files")


if __name__ == "__main__":
    sys.exit(main())
