"""usage: constructor_test.py HEDDLE PROGRAMS

What a library's constructor draws is the same in every run, whichever server and whichever campaign makes it."""
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HEDDLE = sys.argv[1]
PROGRAMS = pathlib.Path(sys.argv[2])
RUNS = 40


class Constructors(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="heddle-constructor-")
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)

    def build(self, library_compiler):
        library = self.place / "libdrawing.so"
        program = self.place / "program"
        subprocess.run([*library_compiler, "-shared", "-fPIC", PROGRAMS / "drawing_library.c", "-o", library], check=True)
        subprocess.run([HEDDLE, "cc", PROGRAMS / "drawn_by_library.c", library, f"-Wl,-rpath,{self.place}", "-o", program],
                       check=True)
        return program

    def hashes(self, program, name):
        out = self.place / name
        subprocess.run([HEDDLE, "run", "--quiet", "--seed", "1", "--runs", str(RUNS), "--out", out, "--", program], check=True,
                       timeout=100)
        with sqlite3.connect(out / "campaign.sqlite") as store:
            return store.execute("SELECT run, event_hash FROM runs ORDER BY run").fetchall()

    def check_repeats(self, library_compiler):
        program = self.build(library_compiler)
        first = self.hashes(program, "a")
        self.assertEqual(len(first), RUNS)
        self.assertEqual(first, self.hashes(program, "b"))

    def test_plain_library(self):
        self.check_repeats(["gcc"])

    def test_instrumented_library(self):
        self.check_repeats([HEDDLE, "cc"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
