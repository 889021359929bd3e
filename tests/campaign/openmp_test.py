"""usage: openmp_test.py HEDDLE SOURCE

A correct OpenMP program, whose threads wait where heddle does not see it: it gets on, and nobody claims anything."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HEDDLE, SOURCE = sys.argv[1:3]


class OpenMP(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="heddle-openmp-")
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        self.program = self.place / "program"
        subprocess.run([HEDDLE, "cc", "-fopenmp", SOURCE, "-o", self.program], check=True)

    def run_heddle(self, *options):
        result = self.place / "result.json"
        command = [HEDDLE, "run", "--seed", "1", "--out", self.place / "out", "--json", result, *options, "--", self.program]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100)
        return done, json.loads(result.read_text())

    def test_says_that_it_cannot_control_it(self):
        done, result = self.run_heddle("--runs", "4")
        self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
        self.assertIn("Use --engine free", done.stderr)
        self.assertEqual(result["failures"], [])

    def test_passes_in_the_free_engine(self):
        done, result = self.run_heddle("--runs", "20", "--engine", "free", "--detect", "fasttrack,eraser")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(result["failures"], [])
        self.assertEqual(result["findings"], [])
        self.assertIn("OpenMP's are left out", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
