#!/usr/bin/env python3
"""Checks that code inside the program needs nothing from the C++ runtime or the heap.

Two rules. What the runtime as a whole leaves undefined must be on the list in libc_symbols.txt, so that nothing new is
depended on unseen. And no object may refer to the heap, stdio or the C++ runtime at all, not even to names that the
runtime itself exports in the program's stead: that would be our own interposers calling themselves.

usage: inprocess_symbols.py BUILD_DIRECTORY LIBRARY...
"""

import re
import subprocess
import sys
from pathlib import Path

import tree

OBJECTS = ["heddle_core_inprocess.dir", "heddle_runtime_objects.dir", "heddle_fast.dir"]

FORBIDDEN = [
    (re.compile(r"_Zn[wa]|_Zd[la]"), "operator new and delete"),
    (re.compile(r"_ZNSt|_ZNKSt|_ZSt|_ZT[ISV]St|_ZTVN10__cxxabiv1"), "libstdc++"),
    (re.compile(r"__cxa_|__gxx_personality|_Unwind_Resume$|__dynamic_cast"), "exceptions, RTTI or static guards"),
    (re.compile(r"(malloc|calloc|realloc|reallocarray|free|posix_memalign|aligned_alloc|memalign|valloc|pvalloc"
                r"|strdup|strndup|asprintf|vasprintf|getline)$"), "the heap"),
    (re.compile(r"(f|v|s|sn|vsn|vf)?printf(_chk)?$|__\w*printf_chk$|f(open|write|puts|read|close|flush)$|puts$"
                r"|std(out|err|in)$"), "stdio"),
    (re.compile(r"__tls_get_addr$"), "lazily allocated TLS (compile with -ftls-model=initial-exec)"),
]

# The program called operator new or delete and nobody else defines it: then the program's malloc and free serve it.
ON_ITS_BEHALF = {"runtime/interpose_new.cpp.o": {"malloc", "aligned_alloc", "free"}}

# A module may leave these to the linker and the loader; they are not functions of libc.
LINKER = re.compile(r"(_GLOBAL_OFFSET_TABLE_|_DYNAMIC|__ehdr_start|__dso_handle|_ITM_\w+|__gmon_start__|__start_\w+"
                    r"|__stop_\w+|__(init|fini|preinit)_array_(start|end)|_end|__bss_start|_edata)$")


def symbols(path: Path, *options: str) -> list[tuple[str, str]]:
    """(type letter, name without version) of each symbol."""
    lines = subprocess.run(["nm", "--format=posix", *options, str(path)],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    return [(fields[1], fields[0].split("@")[0]) for fields in map(str.split, lines)
            if len(fields) >= 2 and not fields[0].endswith(":")]


def undefined(path: Path, *options: str) -> set[str]:
    # A weak reference may stay unresolved; what it names is still a dependency.
    return {name for kind, name in symbols(path, *options) if kind in "Uwv" and not LINKER.match(name)}


def forbidden_uses(path: Path, label: str) -> list[str]:
    found = []
    for name in sorted(undefined(path) - ON_ITS_BEHALF.get(label, set())):
        for pattern, what in FORBIDDEN:
            if pattern.match(name):
                found.append(f"{label}: {name} needs {what}, which does not exist inside the program")
    return found


def allowed_names(path: Path) -> set[str]:
    lines = (line.split("#")[0].strip() for line in path.read_text().splitlines())
    return {name for line in lines for name in line.split()}


def library_problems(library: Path, allowed: set[str]) -> list[str]:
    needed = undefined(library, "--dynamic")
    return [f"{library.name}: needs {name}; if it is free of the heap and of locks, add it to libc_symbols.txt"
            for name in sorted(needed - allowed)]


def objects(build: Path) -> list[Path]:
    return [o for directory in OBJECTS for o in sorted((build / "src/CMakeFiles" / directory).rglob("*.o"))]


def main() -> int:
    build, libraries = Path(sys.argv[1]), [Path(p) for p in sys.argv[2:]]
    found = []
    every = objects(build)
    if not every:
        found.append(f"no in-process objects under {build}; build first")
    for path in every:
        found += forbidden_uses(path, re.sub(r".*\.dir/", "", str(path)))
    allowed = allowed_names(Path(__file__).with_name("libc_symbols.txt"))
    for library in libraries:
        found += library_problems(library, allowed)
    return tree.report(found, f"symbols of {len(every)} in-process objects and {len(libraries)} libraries")


if __name__ == "__main__":
    sys.exit(main())
