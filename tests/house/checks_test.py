#!/usr/bin/env python3
"""The checks themselves: what they are for, they catch."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import documents
import include_layers
import inprocess_symbols


class Tree(unittest.TestCase):
    def setUp(self):
        self._directory = tempfile.TemporaryDirectory()
        self.addCleanup(self._directory.cleanup)
        self.root = Path(self._directory.name).resolve()

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class IncludeLayers(Tree):
    def verdict(self, name: str, line: str) -> list[str]:
        shutil.rmtree(self.root / "src", ignore_errors=True)
        self.write(f"src/{name}", line + "\n")
        return include_layers.problems(self.root)

    def test_middle_directories_do_not_use_each_other(self):
        self.assertEqual(len(self.verdict("noise/a.cpp", '#include "schedule/strategy.h"')), 1)

    def test_middle_directories_use_base_and_contract(self):
        self.assertEqual(self.verdict("noise/a.cpp", '#include "base/id.h"\n#include "contract/event.h"'), [])

    def test_detectors_use_analysis(self):
        self.assertEqual(self.verdict("detect/a.cpp", '#include "analysis/clock.h"'), [])

    def test_base_uses_nothing(self):
        self.assertEqual(len(self.verdict("base/a.h", '#include "contract/event.h"')), 1)

    def test_runtime_and_tool_never_meet(self):
        self.assertEqual(len(self.verdict("runtime/a.cpp", '#include "host/result.h"')), 1)
        self.assertEqual(len(self.verdict("campaign/a.cpp", '#include "runtime/mode.h"')), 1)

    def test_includes_are_written_from_the_top(self):
        self.assertEqual(len(self.verdict("host/a.cpp", '#include "result.h"')), 1)

    def test_sqlite_stays_in_the_store(self):
        self.assertEqual(len(self.verdict("campaign/a.cpp", "#include <sqlite3.h>")), 1)
        self.assertEqual(self.verdict("campaign/store/a.cpp", "#include <sqlite3.h>"), [])

    def test_only_the_driver_prints(self):
        self.assertEqual(len(self.verdict("host/a.cpp", 'fmt::print("hello");')), 1)
        self.assertEqual(self.verdict("driver/a.cpp", 'fmt::print("hello");'), [])
        self.assertEqual(self.verdict("report/a.cpp", '// std::cout is for the driver\nfmt::print(file, "x");'), [])

    def test_a_new_directory_is_not_in_the_layout(self):
        self.assertEqual(len(self.verdict("util/a.h", "")), 1)


class Documents(Tree):
    def test_a_link_to_nothing_is_found(self):
        self.write("docs/a.md", "[there](b.md) [here](a.md) [web](https://example.org/x)")
        self.assertEqual(len(documents.problems(self.root)), 1)

    def test_a_link_to_a_missing_heading_is_found(self):
        self.write("a.md", "# The `first` one\n[good](#the-first-one) [bad](#the-second-one)")
        self.assertEqual(len(documents.problems(self.root)), 1)

    def test_links_in_code_are_not_links(self):
        self.write("a.md", "```\nx[i](nothing)\n```\n`[a](b)`")
        self.assertEqual(documents.problems(self.root), [])

    def test_a_path_of_one_machine_is_found(self):
        self.write("a.md", "see /home/" + "someone/notes\n")
        self.write("b.cpp", "// see ${prefix}/work/notes and src/root/x\n")
        self.assertEqual(len(documents.problems(self.root)), 1)


class InprocessSymbols(Tree):
    def compiled(self, text: str) -> Path:
        source, out = self.write("a.cpp", text), self.root / "a.o"
        subprocess.run(["g++", "-std=c++20", "-O1", "-c", source, "-o", out], check=True)
        return out

    def test_a_virtual_destructor_drags_in_the_heap(self):
        path = self.compiled("struct S { virtual ~S(); }; S::~S() {}")
        self.assertTrue(any("operator new and delete" in p for p in inprocess_symbols.forbidden_uses(path, "a")))

    def test_a_guarded_static_needs_the_cxx_runtime(self):
        path = self.compiled("int f(); int& g() { static int x = f(); return x; }")
        self.assertTrue(any("static guards" in p for p in inprocess_symbols.forbidden_uses(path, "a")))

    def test_calling_malloc_is_found_even_if_we_export_it(self):
        path = self.compiled("#include <stdlib.h>\nvoid* f() { return malloc(9); }")
        self.assertTrue(any("heap" in p for p in inprocess_symbols.forbidden_uses(path, "a")))

    def test_plain_code_needs_nothing(self):
        path = self.compiled("#include <span>\nint f(std::span<const int> s) { return s.empty() ? 0 : s[0]; }")
        self.assertEqual(inprocess_symbols.forbidden_uses(path, "a"), [])

    def test_a_libc_function_not_on_the_list_is_found(self):
        path = self.compiled('extern "C" int setenv(const char*, const char*, int);\n'
                             'int f() { return setenv("a", "b", 1); }')
        library = self.root / "a.so"
        subprocess.run(["gcc", "-shared", path, "-o", library], check=True)
        self.assertEqual(len(inprocess_symbols.library_problems(library, {"__cxa_finalize"})), 1)


if __name__ == "__main__":
    unittest.main()
