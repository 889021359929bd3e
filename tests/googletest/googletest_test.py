#!/usr/bin/env python3
"""heddle run on a GoogleTest binary, as it is: every test by its filter, the wrong ones found, death tests and fork.

usage: googletest_test.py TOOL PROGRAM
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOOL = ""
PROGRAM = ""


class GoogleTestBinary(unittest.TestCase):
    def hunt(self, test, runs, *options):
        with tempfile.TemporaryDirectory(prefix="heddle-googletest-") as name:
            done = subprocess.run(
                [TOOL, "run", "--quiet", "--no-minimize", "--runs", str(runs), "--seed", "1", "--out", "out", "--json", "result",
                 *options, "--", PROGRAM, f"--gtest_filter={test}"],
                cwd=name, capture_output=True, text=True, errors="replace", timeout=200)
            result = pathlib.Path(name, "result")
            if not result.exists():
                self.fail(done.stdout + done.stderr)
            report = json.loads(result.read_text())
            for failure in report["failures"]:
                failure["printed"] = pathlib.Path(failure["directory"], "stdout").read_text()
            return done, report

    def listed(self):
        suite, names = "", []
        answer = subprocess.run([PROGRAM, "--gtest_list_tests"], capture_output=True, text=True, check=True, timeout=60)
        for line in answer.stdout.splitlines():
            if line.startswith("  "):
                names.append(suite + line.split()[0])
            elif re.match(r"\S+\.$", line):
                suite = line
        return names

    def test_there_are_fifty_and_each_right_one_passes(self):
        names = self.listed()
        self.assertGreaterEqual(len(names), 50)
        for name in names:
            if name.startswith("Wrong"):
                continue
            with self.subTest(name):
                done, result = self.hunt(name, 5)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(result["runs"], 5)

    def test_all_of_them_in_one_run(self):
        done, result = self.hunt("-Wrong*", 3)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(result["runs"], 3)

    def test_an_expectation_that_fails_once_in_a_while_is_found_and_replays(self):
        done, result = self.hunt("Wrong.LosesAnUpdate", 500)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        (failure,) = result["failures"]
        self.assertEqual((failure["kind"], failure["reproduced"]), ("exit", "10/10"))
        self.assertIn("an update was lost", failure["printed"])

    def test_a_deadlock_in_a_test_is_found_and_replays(self):
        done, result = self.hunt("Wrong.LocksInBothOrders", 500)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        (failure,) = result["failures"]
        self.assertEqual((failure["kind"], failure["reproduced"]), ("deadlock", "10/10"))


if __name__ == "__main__":
    TOOL, PROGRAM = map(str, map(pathlib.Path.resolve, map(pathlib.Path, sys.argv[1:3])))
    unittest.main(argv=sys.argv[:1], verbosity=2)
