#!/usr/bin/env python3
"""Checks that includes follow the layers of docs/architecture.md. usage: include_layers.py ROOT"""

import re
import sys
from pathlib import Path

import tree

CORE = {"base", "contract", "noise", "schedule", "trace", "analysis", "detect", "coverage"}

# A directory of src/ may include itself and these. A directory that is not here is not in the layout.
MAY_USE = {
    "base": set(),
    "contract": {"base"},
    "noise": {"base", "contract"},
    "schedule": {"base", "contract"},
    "trace": {"base", "contract"},
    "analysis": {"base", "contract"},
    "detect": {"base", "contract", "analysis"},
    "coverage": {"base", "contract", "analysis"},
    "runtime": CORE,
    "host": {"base", "contract"},
    "campaign": CORE | {"host"},
    "report": CORE | {"host", "campaign"},
    "driver": CORE | {"host", "campaign", "report"},
}

# Headers from outside that belong to one place: (what is included, where it may be, what to do instead).
KEPT_TO = [
    (re.compile(r"sqlite3(ext)?\.h"), "campaign/store/", "go through campaign/store"),
    (re.compile(r"CLI/.*"), "driver/", "only the driver reads the command line"),
    (re.compile(r"(elfutils/|dwarf|libelf|gelf).*"), "host/", "go through host's symbols"),
]

PRINTS = re.compile(
    r"\bstd::(cout|cerr|clog)\b|(?<![\w.])(std::)?(printf|puts|putchar|perror)\s*\("
    r"|\bfmt::print\s*\(\s*(\"|stdout|stderr)|\bf(printf|puts|write)\s*\([^;]*\b(stdout|stderr)\b"
)
TOOL_THAT_MUST_NOT_PRINT = {"host", "campaign", "report"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def without_comment(line: str) -> str:
    return line.split("//", 1)[0]


def problems_in(path: Path, source: Path) -> list[str]:
    relative = path.relative_to(source)
    layer = relative.parts[0]
    found = []
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        where = f"src/{relative}:{number}"
        if layer in TOOL_THAT_MUST_NOT_PRINT and PRINTS.search(without_comment(line)):
            found.append(f"{where}: only driver/ prints; return the text or take a sink")
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, name = match.groups()
        for pattern, home, instead in KEPT_TO:
            if pattern.fullmatch(name) and not str(relative).startswith(home):
                found.append(f"{where}: <{name}> belongs in src/{home}; {instead}")
        if quote == "<":
            continue
        used = name.split("/")[0]
        if "/" not in name or used == "..":
            found.append(f'{where}: "{name}" must be written from src/ on, as "{layer}/…"')
        elif used not in MAY_USE:
            found.append(f'{where}: "{name}" is not in a directory of the layout')
        elif used != layer and used not in MAY_USE[layer]:
            found.append(f'{where}: {layer}/ may not use {used}/ ("{name}")')
    return found


def problems(root: Path) -> list[str]:
    source = root / "src"
    found = []
    for path in tree.files(source, tree.CPP):
        layer = path.relative_to(source).parts[0]
        if layer not in MAY_USE:
            found.append(f"src/{layer}: not in the layout of docs/architecture.md")
        else:
            found += problems_in(path, source)
    return found


if __name__ == "__main__":
    sys.exit(tree.report(problems(Path(sys.argv[1])), "include layers"))
