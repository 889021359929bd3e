#!/usr/bin/env python3
"""Runs clang-tidy with .clang-tidy's short list over src/.

A file that was clean stays clean while it, the headers of the tree and the list are the same, so a stamp per file in
the build directory remembers it: a first run looks at all files, the next only at what was touched.

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


# Files that are looked at together: what they include is read once. Those whose hidden names clash are taken apart.
TOGETHER = 12


class Tidy:
    def __init__(self, root: Path, build: Path):
        self.root, self.stamps = root, build / "tidy-stamps"
        self.stamps.mkdir(exist_ok=True)
        digest = Digest(root / "src", (root / ".clang-tidy").read_bytes())
        self.arguments = {path: arguments(command, path) for path, command in sources(root, build).items()}
        self.stamp = {path: self.stamps / digest.of(path, " ".join(kept)) for path, kept in self.arguments.items()}

    def batches(self) -> list[list[Path]]:
        """What is not known to be clean, by directory and arguments."""
        groups: dict[tuple, list[Path]] = {}
        for path, kept in self.arguments.items():
            if not self.stamp[path].exists():
                groups.setdefault((path.parent, *kept), []).append(path)
        return [group[i : i + TOGETHER] for group in groups.values() for i in range(0, len(group), TOGETHER)]

    def run(self, path: Path, kept: list[str]) -> tuple[list[str], str]:
        # -Wno-everything: warnings are the compilers' own affair, and clang's differ from gcc's.
        done = subprocess.run([tidy(), "--quiet", f"--config-file={self.root / '.clang-tidy'}",
                               f"--header-filter=^{re.escape(str(self.root))}/src/.*[.]cpp$",
                               str(path), "--", *kept, "-Wno-everything"],
                              capture_output=True, text=True, cwd=self.root)
        lines = [l.replace(f"{self.root}/", "") for l in done.stdout.splitlines()
                 if ": error:" in l or ": warning:" in l]
        failed = done.stderr[-500:] if done.returncode != 0 and not lines else ""
        return lines, failed

    def look_at(self, batch: list[Path]) -> list[str]:
        if len(batch) > 1:
            together = self.stamps / f"{hashlib.sha256(str(batch).encode()).hexdigest()[:16]}.cpp"
            together.write_text("".join(f'#include "{path}"\n' for path in batch))
            lines, failed = self.run(together, self.arguments[batch[0]])
            if failed or any(l.startswith("src/") and "[clang-diagnostic-error]" in l for l in lines):
                half = len(batch) // 2
                return self.look_at(batch[:half]) + self.look_at(batch[half:])
        else:
            lines, failed = self.run(batch[0], self.arguments[batch[0]])
            if failed:
                return [f"{batch[0].relative_to(self.root)}: clang-tidy failed: {failed}"]
        # clang 14 does not understand all of gcc 12's library; what compiles is for the build to say.
        lines = [l for l in lines if "[clang-diagnostic-error]" not in l]
        if not lines:
            for path in batch:
                self.stamp[path].touch()
        return lines


def main() -> int:
    checks = Tidy(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
    with ThreadPoolExecutor(2) as pool:
        found = sorted({line for lines in pool.map(checks.look_at, checks.batches()) for line in lines})
    return tree.report(found, f"clang-tidy over {len(checks.arguments)} files")


if __name__ == "__main__":
    sys.exit(main())
