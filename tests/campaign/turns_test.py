"""usage: turns_test.py HEDDLE SOURCE

A hand's two workers take turns: one run at a time, and the same runs as when each hand has one worker."""
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HEDDLE, SOURCE = sys.argv[1:3]
RUNS = 300


class Turns(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="heddle-turns-")
        self.addCleanup(directory.cleanup)
        self.place = pathlib.Path(directory.name)
        self.program = self.place / "only_one"
        subprocess.run([HEDDLE, "cc", SOURCE, "-o", self.program], check=True)

    def run_heddle(self, name, how="lock", **options):
        out = self.place / name
        result = self.place / f"{name}.json"
        command = [HEDDLE, "run", "--quiet", "--seed", "5", "--runs", str(RUNS), "--out", out, "--json", result, "--",
                   self.program, how, self.place / "file"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with sqlite3.connect(out / "campaign.sqlite") as store:
            hashes = dict(store.execute("SELECT run, event_hash FROM runs"))
        return json.loads(result.read_text()), hashes

    def test_no_run_is_alive_beside_another(self):
        # The next run begins before the kernel has taken all of this one down, but not before what others could meet is gone.
        for how in ("lock", "socket", "child", "undo"):
            with self.subTest(how):
                result, _ = self.run_heddle(how, how)
                self.assertEqual(result["failures"], [])
                self.assertEqual(result["runs"], RUNS)
        subprocess.run([self.program, "remove", self.place / "file"], check=True)

    def test_the_same_runs_on_one_processor(self):
        one = min(os.sched_getaffinity(0))
        _, alone = self.run_heddle("one", preexec_fn=lambda: os.sched_setaffinity(0, {one}))
        _, turns = self.run_heddle("two")
        self.assertEqual(len(alone), RUNS)
        self.assertEqual(alone, turns)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]], verbosity=2)
