#!/usr/bin/env python3
"""Noise in both engines, and heddle compare, from outside.

usage: noise_test.py TOOL PROGRAMS [unittest arguments]     PROGRAMS: the directory of the corpus' binaries
"""

import csv
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

TOOL = ""
PROGRAMS = pathlib.Path()


class NoiseTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="heddle-noise-")
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)

    def heddle(self, *arguments):
        return subprocess.run([TOOL, *arguments], cwd=self.path, capture_output=True, text=True, errors="replace",
                              timeout=100)

    def hunt(self, program, noise, *options, out="out"):
        result = self.heddle("run", "--quiet", "--seed", "1", "--noise", noise, "--out", out, "--json", f"{out}.json",
                             *options, "--", str(PROGRAMS / program))
        self.assertIn(result.returncode, (0, 1), result.stderr)
        return json.loads((self.path / f"{out}.json").read_text())

    def compare(self, *options, out="out", program="lost_update_atomic", status=1):
        result = self.heddle("compare", "--out", out, "--json", f"{out}.json", *options, "--",
                             str(PROGRAMS / program))
        self.assertEqual(result.returncode, status, result.stderr + result.stdout)
        return result, json.loads((self.path / f"{out}.json").read_text())


class VirtualTimeTest(NoiseTest):
    def test_noise_never_tears_an_operation_apart(self):
        # A delay between giving a mutex up and waiting, or between looking at a futex and waiting, would lose wake-ups.
        noise = "placement=random-all,when=both,frequency=500,seeding=sleep,strength=1..20"
        for program in ("barrier", "condition_broadcast", "condition_timed", "raw_futex", "spin_and_once",
                        "condition_variable", "atomic_wait", "barrier_phases", "call_once", "bounded_buffer"):
            with self.subTest(program):
                report = self.hunt(f"correct_{program}", noise, "--strategy", "noise", "--runs", "40")
                self.assertEqual(report["failures"], [])

    def test_placements_that_learn_or_follow_calls_replay(self):
        for placement in ("pattern", "sharedVar-all", "sharedVar-one", "coverage", "method-pair", "method"):
            for seeding in ("sleep", "yield"):
                with self.subTest(placement=placement, seeding=seeding):
                    noise = f"placement={placement},seeding={seeding},frequency=200,strength=3"
                    report = self.hunt("price_cache", noise, "--strategy", "noise", "--runs", "40", "--keep-going",
                                       "--no-minimize", out=f"{placement}-{seeding}")
                    self.assertEqual(report["fidelity_percent"], 100)
                    for failure in report["failures"]:
                        self.assertEqual(failure["reproduced"], "10/10")

    def test_a_shortened_sleep_shows_that_it_stood_for_synchronisation(self):
        for seed in ("1", "2", "3"):
            report = self.hunt("sleep_as_synchronisation", "placement=random-all,seeding=sleep,timeoutTamper=on",
                               "--strategy", "noise", "--runs", "20", "--seed", seed)
            self.assertEqual(report["failures"][0]["kind"], "exit")
            self.assertEqual(report["failures"][0]["reproduced"], "10/10")
            self.assertLess(report["seconds"], 10, "300 ms of sleep cost nothing")

    def test_no_program_can_tell_that_its_sleep_was_shortened(self):
        for program in ("sleeps", "long_sleeps", "sleep_sort", "condition_timed", "mutex_timed", "shared_timed_mutex"):
            with self.subTest(program):
                report = self.hunt(f"correct_{program}", "seeding=none,timeoutTamper=on", "--strategy", "noise",
                                   "--runs", "40")
                self.assertEqual(report["failures"], [])

    def test_threads_that_all_give_way_take_turns(self):
        for strength in ("1", "10"):
            report = self.hunt("correct_bounded_buffer", f"frequency=1000,seeding=yield,strength={strength}",
                               "--strategy", "noise", "--runs", "40")
            self.assertEqual(report["failures"], [])
            self.assertGreater(report["distinct_schedules"], 20)

    def test_who_polls_for_a_thread_that_noise_holds_does_not_use_up_the_run(self):
        # Consumers lock, look, unlock and yield until there is work; they could do so for ever.
        for noise in ("placement=sharedVar-all,seeding=sleep,strength=500,frequency=300",
                      "seeding=priority,strength=1..19,frequency=300", "seeding=none,haltOneThread=1000,frequency=300",
                      "placement=random-all,seeding=barrier,strength=500,frequency=300"):
            with self.subTest(noise):
                report = self.hunt("correct_polling_consumers", noise, "--strategy", "noise", "--runs", "20")
                self.assertEqual(report["failures"], [])

    def test_a_shortened_sleep_is_bounded_as_stalls_are(self):
        report = self.hunt("sleep_as_synchronisation", "seeding=none,timeoutTamper=on", "--strategy", "noise",
                           "--runs", "100", "--max-stall", "299ms")
        self.assertEqual(report["failures"], [])

    def test_no_stall_ends_a_delay(self):
        # The program has no timers of its own: whether any may fire early must make no difference.
        reports = []
        for out, options in (("stalls", ()), ("none", ("--max-stall", "0"))):
            report = self.hunt("airlines", "placement=unprotected,seeding=sleep,frequency=500,strength=10", "--strategy",
                               "noise", "--runs", "60", "--keep-going", "--no-minimize", *options, out=out)
            self.assertGreater(report["failing_runs"], 0)
            reports.append({key: report[key] for key in ("failing_runs", "distinct_schedules", "steps")})
        self.assertEqual(reports[0], reports[1])

    def test_what_placements_learn_is_the_same_whatever_the_jobs(self):
        for placement in ("sharedVar-one", "coverage", "method", "method-pair", "sync", "unprotected"):
            with self.subTest(placement):
                noise = f"placement={placement},seeding=sleep,frequency=300,strength=1..20"
                reports = []
                for jobs in ("1", "3"):
                    report = self.hunt("bounded_buffer", noise, "--strategy", "noise", "--runs", "60", "--keep-going",
                                       "--no-minimize", "--jobs", jobs, out=f"jobs{jobs}")
                    for failure in report["failures"]:
                        failure.pop("directory")
                    report.pop("seconds")
                    reports.append(report)
                self.assertEqual(reports[0], reports[1])
                self.assertEqual(reports[0]["fidelity_percent"], 100)

    def test_strong_noise_belongs_before_the_few_accesses_that_come_first(self):
        # Fiedor et al. 2014, Table III: one access in ten delayed, of thirty writes (1 - 0.9^30 = 96 %; 94.4 and 96.8 there) or of
        # ten reads (65 %; 62.4 and 64.4).
        source = str(pathlib.Path(__file__).with_name("few_and_many.c"))
        for flag, good, rate in (("-DFEW_WRITES", "writes", 0.96), ("-DFEW_READS", "reads", 0.65)):
            with self.subTest(flag):
                built = self.heddle("cc", "-g", "-O1", "-pthread", flag, source, "-o", "few_and_many")
                self.assertEqual(built.returncode, 0, built.stderr)
                configurations = []
                for kind in ("reads", "writes"):
                    configurations += ["--config", f"placement=read/write,frequency=100,seeding=none,{kind}=sleep:10"]
                _, report = self.compare("--runs", "100", "--seed", "1", "--detect", "atomrace", "--fail-on", "race",
                                         *configurations, program=self.path / "few_and_many")
                rates = {kind: row["error_rate"] for row in report["configurations"]
                         for kind in ("reads", "writes") if f"{kind}=" in row["noise"]}
                self.assertAlmostEqual(rates.pop(good), rate, delta=0.1)
                self.assertLess(max(rates.values()), 0.05)

    def test_what_a_thread_has_for_itself_is_a_place_where_all_places_are_alike(self):
        source = str(pathlib.Path(__file__).with_name("own_accesses.c"))
        built = self.heddle("cc", "-g", "-O1", "-pthread", source, "-o", "own_accesses")
        self.assertEqual(built.returncode, 0, built.stderr)
        writes_only = "placement=read/write,frequency=1000,seeding=none,writes=sleep:10"
        reads_only = "placement=read/write,frequency=1000,seeding=none,reads=sleep:10"
        for noise, failing in (("placement=random-all,seeding=sleep,frequency=1000,strength=10", 10), (writes_only, 10),
                               (reads_only, 0), ("placement=unprotected,seeding=sleep,frequency=1000,strength=10", 0)):
            with self.subTest(noise):
                report = self.hunt(self.path / "own_accesses", noise, "--strategy", "noise", "--runs", "10", "--keep-going",
                                   "--no-minimize")
                self.assertEqual(report["failing_runs"], failing)

    def test_a_failure_under_learned_noise_replays(self):
        report = self.hunt("airlines", "placement=coverage,seeding=sleep,frequency=500", "--strategy", "noise",
                           "--runs", "200")
        self.assertEqual(report["failures"][0]["reproduced"], "10/10")
        again = self.heddle("replay", report["failures"][0]["directory"], "--times", "3")
        self.assertEqual(again.stdout.splitlines()[-1], "reproduced 3/3")


class FreeEngineTest(NoiseTest):
    def test_timeout_tamper_shortens_the_programs_sleeps(self):
        # The program looks at the clock itself: it fails if a sleep was shorter than asked.
        def failing(noise):
            return self.hunt("correct_sleeps", noise, "--engine", "free", "--runs", "4", "--keep-going", "--no-minimize",
                             "--jobs", "1")["failing_runs"]

        self.assertEqual(failing("placement=random-all,seeding=yield,strength=1"), 0)
        self.assertGreater(failing("seeding=none,timeoutTamper=0"), 0)


class CompareTest(NoiseTest):
    CONFIGURATIONS = ("--config", "none", "--config", "placement=random-all,frequency=300,seeding=sleep,strength=20",
                      "--config", "placement=pattern,frequency=300,seeding=yield,strength=10", "--config", "random")

    @staticmethod
    def essence(report):
        """All that does not depend on the clock."""
        for failure in report["failures"]:
            failure.pop("directory")
        report.pop("seconds")
        rows = sorted(report.pop("configurations"), key=lambda row: row["number"])
        return report, [{key: value for key, value in row.items() if "seconds" not in key} for row in rows]

    def test_the_table_the_csv_and_the_json_agree(self):
        result, report = self.compare("--runs", "40", "--seed", "2", *self.CONFIGURATIONS)
        rows = report["configurations"]
        self.assertEqual([row["runs"] for row in rows], [40] * 4)
        self.assertEqual(report["runs"], 160)
        self.assertEqual(report["strategy"], "noise")
        rates = [row["error_rate"] for row in rows]
        self.assertEqual(rates, sorted(rates, reverse=True))
        self.assertGreater(rates[0], rates[-1])
        for row in rows:
            low, high = row["interval_95"]
            self.assertLessEqual(low, row["error_rate"])
            self.assertGreaterEqual(high, row["error_rate"])
        with open(self.path / "out" / "compare.csv", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([row["noise"] for row in table], [row["noise"] for row in rows])
        self.assertEqual([int(row["failing_runs"]) for row in table], [row["failing_runs"] for row in rows])
        self.assertEqual([int(row["covered_tasks"]) for row in table], [row["covered_tasks"] for row in rows])
        lines = result.stdout.splitlines()
        self.assertTrue(lines[1].endswith(rows[0]["noise"]), lines[1])
        self.assertEqual(report["failures"][0]["reproduced"], "10/10")
        again = self.heddle("replay", report["failures"][0]["directory"], "--times", "3")
        self.assertEqual(again.stdout.splitlines()[-1], "reproduced 3/3")

    def test_jobs_and_an_interruption_change_nothing(self):
        options = ("--runs", "60", "--seed", "5", *self.CONFIGURATIONS)
        whole = self.essence(self.compare(*options, "--jobs", "1", out="one")[1])
        self.assertEqual(self.essence(self.compare(*options, "--jobs", "3", out="three")[1]), whole)
        # As an interrupted one leaves it: two configurations are done.
        kept = (self.path / "one" / "compare.jsonl").read_text().splitlines(keepends=True)
        (self.path / "one" / "compare.jsonl").write_text("".join(kept[:3]))
        result, report = self.compare(*options, "--resume", out="one")
        self.assertIn("2 configurations taken over", result.stdout)
        self.assertEqual(self.essence(report), whole)
        other = self.heddle("compare", "--resume", "--out", "one", "--runs", "61", "--seed", "5", *self.CONFIGURATIONS,
                            "--", str(PROGRAMS / "lost_update_atomic"))
        self.assertEqual(other.returncode, 2)
        self.assertIn("runs", other.stderr)

    def test_each_configuration_counts_its_own_coverage(self):
        # A process tells what a task is only once; the second of two equal configurations has covered as much all the same.
        for jobs in ("1", "3"):
            _, report = self.compare("--runs", "30", "--seed", "1", "--jobs", jobs, "--config", "none", "--config",
                                     "seeding=sleep", "--config", "none", program="airlines", out=f"jobs{jobs}")
            self.assertEqual(report["metric"], "HBPair*")
            covered = {row["number"]: row["covered_tasks"] for row in report["configurations"]}
            self.assertGreater(covered[1], 0)
            self.assertEqual(covered[1], covered[3])

    def test_ctrl_c_keeps_what_is_done(self):
        process = subprocess.Popen([TOOL, "compare", "--quiet", "--for", "60s", "--seed", "1", "--out", "out", "--",
                                    str(PROGRAMS / "correct_barrier")], cwd=self.path, stdout=subprocess.PIPE,
                                   text=True)
        kept = self.path / "out" / "compare.jsonl"
        until = time.monotonic() + 60
        while time.monotonic() < until and not (kept.exists() and len(kept.read_text().splitlines()) > 2):
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out = process.communicate(timeout=30)[0]
        self.assertEqual(process.returncode, 3, out)
        self.assertIn("--resume", out)

    def test_without_a_grid_it_is_the_papers(self):
        _, report = self.compare("--runs", "1", "--seed", "1", program="correct_barrier", status=0)
        self.assertEqual(len(report["configurations"]), 81)
        self.assertEqual(report["stopped_by"], "budget")
        self.assertEqual(report["failures"], [])


class WordsTest(NoiseTest):
    def test_bad_noise_gets_a_sentence_that_says_what_is_allowed(self):
        for noise, word in (("placement=everywhere", "random-all"), ("placement=randomall", "random-all"),
                            ("seeding=snooze", "sleep"), ("frequency=2000", "0..1000"),
                            ("seeding=sleep,strength=20yields", "milliseconds"),
                            ("seeding=yield,strength=20ms", "yields"), ("strength=-3", "whole number"),
                            ("seeding=timeoutTamper", "timeoutTamper=on"),
                            ("placement=sync,seeding=barrier", "barrier"),
                            ("placement=read/write,seeding=sleep", "writes="),
                            ("placement=pattern,reads=yield:5", "read/write"),
                            ("placement=coverage,when=after", "before"), ("seeding=none", "name a seeding"),
                            ("seeding=priority,repeat=500", "repeat"), ("budget=0%", "1%..1000%"),
                            ("speed=5", "frequency"), ("strength=20..5", "5..20"), ("none,seeding=sleep", "alone")):
            for command in (("run", "--noise"), ("compare", "--config")):
                with self.subTest(noise=noise, command=command[0]):
                    result = self.heddle(*command, noise, "--runs", "1", "--", "/bin/true")
                    self.assertEqual(result.returncode, 2, result.stdout)
                    self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                    self.assertIn(word, result.stderr)

    def test_the_list_has_every_heuristic_with_its_source(self):
        lines = self.heddle("list", "noise").stdout.splitlines()
        names = [line.split()[0] for line in lines]
        for name in ("random-all", "sharedVar-all", "sharedVar-one", "coverage", "method", "method-pair", "sync",
                     "read/write", "pattern", "unprotected", "yield", "sleep", "wait", "synchYield", "busyWait",
                     "priority", "mixed", "barrier", "haltOneThread", "inverseNoise", "timeoutTamper", "random"):
            self.assertEqual(names.count(name), 1, name)
        for line in lines:
            self.assertRegex(line, r"\[[^]]*\d{4}[^]]*\]$")

    def test_options_that_mean_nothing_to_compare_are_refused(self):
        for options in (("--noise", "seeding=sleep"), ("--strategy", "dfs:2"), ("--grid", "nowhere"),
                        ("--config", "seeding=slep"), ("--resume",), ("--until", "saturation")):
            with self.subTest(options):
                result = self.heddle("compare", *options, "--runs", "1", "--", "/bin/true")
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)


if __name__ == "__main__":
    TOOL = str(pathlib.Path(sys.argv.pop(1)).resolve())
    PROGRAMS = pathlib.Path(sys.argv.pop(1))
    unittest.main()
