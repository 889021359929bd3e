#!/usr/bin/env python3
"""Checks that relative links in Markdown lead somewhere, and that no file names a path of somebody's machine.
usage: documents.py ROOT"""

import re
import sys
from pathlib import Path

import tree

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$")
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:root|work|farm)/")
# In code a home directory may be an example, as a value that a test passes on.
HOME_PATH = re.compile(r"(?<![\w.$}])/(?:home|Users)/\w+/")
TEXT = tree.CPP | {".md", ".py", ".txt", ".cmake", ".json", ".in", ".sh", ".yml", ""}


def prose(text: str) -> str:
    """The text with fenced blocks and code spans blanked: what stands there is no link."""
    text = re.sub(r"^(```|~~~).*?^\1", lambda m: "\n" * m.group().count("\n"), text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "``", text)


def anchors(text: str) -> set[str]:
    """Headings as the usual renderers turn them into fragments."""
    found = set()
    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
        match = HEADING.match(line)
        if match and not fenced:
            plain = re.sub(r"[`*_]|\[([^\]]*)\]\([^)]*\)", r"\1", match.group(1)).lower()
            found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


def broken_links(root: Path, path: Path) -> list[str]:
    found = []
    for number, line in enumerate(prose(path.read_text()).splitlines(), start=1):
        for target in LINK.findall(line):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, fragment = target.partition("#")
            there = (path.parent / name).resolve() if name else path
            where = f"{path.relative_to(root)}:{number}"
            if not there.exists():
                found.append(f"{where}: {target} does not exist")
            elif fragment and there.suffix == ".md" and fragment not in anchors(there.read_text()):
                found.append(f"{where}: {target}: no such heading")
    return found


def machine_paths(root: Path, path: Path) -> list[str]:
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError:
        return []
    return [f"{path.relative_to(root)}:{number}: names a path of one machine: {line.strip()[:80]}"
            for number, line in enumerate(lines, start=1)
            if MACHINE_PATH.search(line) or (path.suffix == ".md" and HOME_PATH.search(line))]


def problems(root: Path) -> list[str]:
    found = []
    for path in tree.files(root):
        if path.suffix == ".md":
            found += broken_links(root, path)
        if path.suffix in TEXT:
            found += machine_paths(root, path)
    return found


if __name__ == "__main__":
    sys.exit(tree.report(problems(Path(sys.argv[1]).resolve()), "documents"))
