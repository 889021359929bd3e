#!/usr/bin/env python3
"""Prints the corpus for tests.cmake, one program a line: name;source;expected;runs;compile flags;link flags.

usage: list_programs.py DIRECTORY
"""

import sys
from pathlib import Path

import header


def main() -> int:
    seen: dict[str, Path] = {}
    for program in header.corpus(Path(sys.argv[1])):
        if program.name in seen:
            print(f"{program.source}: {program.name} is the name of {seen[program.name]} already", file=sys.stderr)
            return 1
        seen[program.name] = program.source
        verdict = "|".join(program.kinds) or "pass"
        flags = " ".join((program.build or ["-O1"]) + program.flags)
        print(";".join([program.name, str(program.source), verdict, str(program.runs), flags, " ".join(program.link)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
