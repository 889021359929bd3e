"""usage: plain_flags_test.py HEDDLE SOURCE

Loops over plain flags that nobody has written yet: they end, in every run and in the same way."""
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HEDDLE, SOURCE = sys.argv[1:3]


class PlainFlags(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="heddle-flags-")
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        self.program = self.place / "program"
        subprocess.run([HEDDLE, "cc", "-pthread", SOURCE, "-o", self.program], check=True)

    def event_hashes(self, out):
        done = subprocess.run([HEDDLE, "run", "--quiet", "--seed", "1", "--runs", "20", "--timeout", "60s", "--out",
                               self.place / out, "--", self.program], capture_output=True, text=True, timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with sqlite3.connect(self.place / out / "campaign.sqlite") as store:
            return list(store.execute("SELECT run, event_hash FROM runs ORDER BY run"))

    def test_every_run_ends_and_is_the_same_again(self):
        first = self.event_hashes("first")
        self.assertEqual(len(first), 20)
        self.assertEqual(first, self.event_hashes("second"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
