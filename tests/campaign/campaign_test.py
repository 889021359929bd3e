#!/usr/bin/env python3
"""heddle run and replay from outside: budgets, verdicts, folders, exit statuses and what is left behind.

usage: campaign_test.py TOOL PROGRAM [unittest arguments]
"""

import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import unittest

TOOL = ""
PROGRAM = ""


def left_over(mark: str) -> list[str]:
    """Processes whose environment holds `mark`."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if mark.encode() in (entry / "environ").read_bytes():
                found.append(entry.name)
        except OSError:
            pass
    return found


class CampaignTest(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(prefix="heddle-campaign-")
        self.path = pathlib.Path(self.directory.name)
        self.addCleanup(self.directory.cleanup)

    def heddle(self, *arguments, environment=None, **more):
        mark = f"HEDDLE_TEST_MARK={self.id()}-{os.getpid()}"
        name, value = mark.split("=")
        result = subprocess.run(
            [TOOL, *arguments], cwd=self.path, capture_output=True, text=True, errors="replace",
            timeout=100, env={**os.environ, name: value, **(environment or {})}, **more)
        self.assertEqual(left_over(mark), [], "nothing of a campaign outlives it")
        return result

    def run_campaign(self, how, *options, out="out", **more):
        result = self.heddle("run", "--out", out, "--json", f"{out}.json", *options, "--", PROGRAM,
                             *how.split(), **more)
        file = self.path / f"{out}.json"
        return result, json.loads(file.read_text()) if file.exists() else None

    def test_a_program_without_faults_gives_status_0(self):
        result, report = self.run_campaign("fine", "--runs", "20", "--seed", "1")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        self.assertEqual(report["runs"], 20)
        self.assertEqual(report["stopped_by"], "budget")
        self.assertEqual(report["failures"], [])
        self.assertGreaterEqual(report["distinct_schedules"], 1)

    def test_without_a_budget_it_stops_when_nothing_new_comes(self):
        result, report = self.run_campaign("fine", "--seed", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(report["stopped_by"], "saturation")

    def test_a_lost_update_is_found_kept_and_replayed(self):
        result, report = self.run_campaign("lost", "--runs", "500", "--seed", "1")
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
        (failure,) = report["failures"]
        self.assertEqual(failure["kind"], "exit")
        self.assertEqual(failure["reproduced"], "10/10")
        self.assertEqual(report["stopped_by"], "failure")
        self.assertEqual(report["runs"], failure["first_run"])
        folder = pathlib.Path(failure["directory"])
        for name in ("schedule.json", "failure.json", "stdout", "stderr", "trace"):
            self.assertTrue((folder / name).is_file(), name)
        self.assertIn("balance is 1", (folder / "stderr").read_text())
        self.assertLessEqual(len(result.stdout.splitlines()), 45)
        again = self.heddle("replay", str(folder), "--times", "5")
        self.assertEqual(again.returncode, 1, again.stderr + again.stdout)
        self.assertEqual(again.stdout.splitlines()[-1], "reproduced 5/5")
        self.assertEqual(self.heddle("replay", str(folder / "schedule.json")).returncode, 1)

    def test_a_deadlock_is_named_with_what_everybody_waits_for(self):
        result, report = self.run_campaign("deadlock", "--runs", "500", "--seed", "1")
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
        self.assertEqual(report["failures"][0]["kind"], "deadlock")
        self.assertIn("a_then_b", result.stdout)
        self.assertIn("b_then_a", result.stdout)
        self.assertEqual(report["failures"][0]["reproduced"], "10/10")

    def test_jobs_change_nothing(self):
        def essence(report):
            for key in ("seconds", "control_percent"):
                report.pop(key)
            for failure in report["failures"]:
                failure.pop("directory")
            return report

        one = self.run_campaign("lost", "--runs", "100", "--seed", "3", "--keep-going", "--jobs",
                                "1", out="one")[1]
        three = self.run_campaign("lost", "--runs", "100", "--seed", "3", "--keep-going", "--jobs",
                                  "3", out="three")[1]
        self.assertEqual(essence(one), essence(three))
        self.assertGreater(one["failures"][0]["count"], 1)

    def test_runs_are_made_one_by_one_unless_asked(self):
        result, report = self.run_campaign("alone", "--runs", "200", "--seed", "1")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(report["runs"], 200)

    def test_every_way_to_fail_has_its_kind(self):
        for how, kind, message in (("exit", "exit", "exit status 3"),
                                   ("crash", "crash", "SIGSEGV"),
                                   ("exit-in-thread", "exit", "exit status 4")):
            with self.subTest(how):
                result, report = self.run_campaign(how, "--runs", "5", "--seed", "1", out=how)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(report["failures"][0]["kind"], kind)
                self.assertIn(message, report["failures"][0]["message"])

    def test_the_free_engine_says_that_it_cannot_replay(self):
        result, report = self.run_campaign("exit", "--engine", "free", "--runs", "3", "--keep-going")
        self.assertEqual(result.returncode, 1, result.stderr)
        (failure,) = report["failures"]
        self.assertEqual((failure["count"], failure["first_run"]), (3, 1))
        again = self.heddle("replay", failure["directory"])
        self.assertEqual(again.returncode, 3)
        self.assertEqual(len(again.stderr.splitlines()), 1)

    def test_what_a_plain_program_compares_and_copies_is_no_event(self):
        # With a sleep at each of them, 400,000 comparisons would take minutes.
        result, report = self.run_campaign("compare", "--engine", "free", "--runs", "1", "--timeout", "30s", "--noise",
                                           "placement=random-all,seeding=sleep,frequency=1000,strength=1")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        self.assertEqual(report["runs"], 1)

    def test_a_program_that_ignores_signals_is_ended_at_its_deadline(self):
        for engine in ("free", "controlled"):
            with self.subTest(engine):
                start = time.monotonic()
                result, report = self.run_campaign(
                    "stubborn", "--engine", engine, "--runs", "1", "--timeout", "500ms", out=engine)
                self.assertLess(time.monotonic() - start, 30)
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(report["failures"][0]["kind"], "timeout")

    def test_a_timeout_that_never_comes_again_does_not_end_the_hunt(self):
        result, report = self.run_campaign("stalls-once", "--runs", "30", "--timeout", "1s",
                                           "--seed", "1")
        self.assertEqual(result.returncode, 3, result.stderr + result.stdout)
        self.assertEqual(report["runs"], 30)
        self.assertEqual([failure["kind"] for failure in report["failures"]], ["timeout"])
        self.assertIn("0/10", report["failures"][0]["reproduced"])
        self.assertIn("the machine may have stalled", result.stdout)

    def test_replays_and_explanations_end_with_the_budget(self):
        result, report = self.run_campaign("stubborn", "--for", "3s", "--timeout", "2s", "--seed",
                                           "1")
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
        self.assertIn("the time ran out", report["failures"][0]["reproduced"])
        self.assertNotIn("no schedule tried near it passes", result.stdout)

    def test_a_first_run_longer_than_the_budget_is_no_failure(self):
        for engine in ("controlled", "free"):
            result, report = self.run_campaign("spin", "--for", "1s", "--timeout", "20s", "--engine", engine, out=engine)
            self.assertEqual(result.returncode, 3, result.stderr + result.stdout)
            self.assertEqual((report["runs"], report["failures"]), (0, []))
            self.assertIn("before the first run had ended", result.stderr)

    def test_a_first_run_that_hangs_to_the_end_of_the_budget_is_one(self):
        result, report = self.run_campaign("stubborn", "--for", "2s", "--timeout", "20s")
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
        self.assertEqual(report["failures"][0]["kind"], "timeout")

    def test_a_program_that_becomes_another_is_told_to_be_out_of_control(self):
        result = self.heddle("run", "--runs", "30", "--", "/usr/bin/env", PROGRAM, "fine")
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertIn("becomes another one (exec)", result.stderr)

    def test_numbers_of_the_process_that_decide_nothing_are_the_kernels(self):
        self.run_campaign("who", "--runs", "1")
        said = next((self.path / "out" / "failures").glob("*/stdout")).read_text()
        self.assertLess(int(said), 2**22)

    def test_a_program_with_one_thread_passes_and_is_told_so(self):
        result, report = self.run_campaign("say hello", "--runs", "20", "--seed", "1")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertEqual(report["distinct_schedules"], 1)
        self.assertIn("never has a second thread", result.stdout + result.stderr)

    def test_a_daemon_is_ended_with_its_run(self):
        for engine in ("free", "controlled"):
            result, _ = self.run_campaign("daemon", "--engine", engine, "--runs", "3", out=engine)
            self.assertEqual(result.returncode, 0, result.stderr + result.stdout)

    def test_a_gigabyte_of_output_is_cut(self):
        result, report = self.run_campaign("flood", "--engine", "free", "--runs", "1", "--fail-if",
                                           "the end", "--timeout", "60s")
        self.assertEqual(result.returncode, 1, result.stderr)
        kept = pathlib.Path(report["failures"][0]["directory"]) / "stdout"
        self.assertLess(kept.stat().st_size, 70 << 20)
        text = kept.read_text()
        self.assertTrue(text.endswith("the end\n"))
        self.assertIn("bytes were cut here", text)

    def test_children_many_threads_and_own_places_are_no_trouble(self):
        for how in ("fork", "many", "places"):
            with self.subTest(how):
                result, _ = self.run_campaign(how, "--runs", "4", "--seed", "1", out=how)
                self.assertEqual(result.returncode, 0, result.stderr + result.stdout)

    def test_death_in_a_static_constructor_is_a_crash(self):
        result, report = self.run_campaign("fine", "--runs", "2",
                                           environment={"MISCHIEF_DIE_EARLY": "1"})
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
        self.assertEqual(report["failures"][0]["kind"], "crash")

    def test_output_is_judged_when_asked(self):
        expected = self.path / "expected"
        expected.write_text("run 1\n")
        result, report = self.run_campaign("say {run}", "--runs", "3", "--expect-output",
                                           str(expected), "--engine", "free")
        self.assertEqual(result.returncode, 1, result.stderr)
        result = self.heddle("run", "--runs", "3", "--engine", "free", "--fail-if", "^run 2$", "--",
                             PROGRAM, "say", "run {run}")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("run 2", result.stdout)

    def test_a_thread_without_a_number_is_our_limit_and_no_failure(self):
        result, report = self.run_campaign("many-rounds", "--runs", "2", "--seed", "1")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertEqual(report["failures"], [])
        self.assertIn("at most 1023 threads", result.stdout + result.stderr)
        result, report = self.run_campaign("many-rounds", "--runs", "1", "--engine", "free", "--noise", "none")
        self.assertEqual((result.returncode, report["failures"]), (0, []))

    def test_ctrl_c_ends_everything_and_still_writes_results(self):
        process = subprocess.Popen(
            [TOOL, "run", "--for", "60s", "--keep-going", "--engine", "free", "--json", "r.json",
             "--", PROGRAM, "fine"], cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "HEDDLE_TEST_MARK": "ctrl-c"})
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 3)
        self.assertEqual(json.loads((self.path / "r.json").read_text())["stopped_by"], "interrupted")
        self.assertEqual(left_over("HEDDLE_TEST_MARK=ctrl-c"), [])

    def test_bad_input_gets_one_sentence_and_status_2(self):
        script = self.path / "script"
        script.write_text("#!/bin/sh\ntrue\n")
        script.chmod(0o755)
        (self.path / "file").write_text("not a directory")
        for arguments in (["run", "--", "./missing"], ["run", "--", "./script"],
                          ["run", "--out", "file/out", "--", PROGRAM, "fine"],
                          ["run", "--out", "/proc/out", "--", PROGRAM, "fine"],
                          ["run", "--json", "nowhere/a.json", "--", PROGRAM, "fine"],
                          ["run", "--json", "/proc/a.json", "--", PROGRAM, "fine"],
                          ["compare", "--json", "nowhere/a.json", "--", PROGRAM, "fine"],
                          ["run", "--fail-if", "(", "--", PROGRAM, "fine"],
                          ["replay", "nowhere"], ["replay", "."], ["replay"]):
            with self.subTest(arguments):
                result = self.heddle(*arguments)
                self.assertEqual(result.returncode, 2, result.stderr + result.stdout)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def stored(self, out, query):
        database = sqlite3.connect(self.path / out / "campaign.sqlite")
        try:
            return database.execute(query).fetchall()
        finally:
            database.close()

    def test_a_killed_campaign_is_resumed_as_if_nothing_had_happened(self):
        runs = ("SELECT run, seed, text, schedule_hash, event_hash FROM runs "
                "JOIN strategies ON strategy = id ORDER BY run")
        options = ("--runs", "1500", "--seed", "5", "--keep-going")
        _, whole = self.run_campaign("fine", *options, out="whole")
        draw = random.Random(1)
        for _ in range(8):
            killed = subprocess.Popen([TOOL, "run", "--quiet", "--resume", *options, "--out", "cut",
                                       "--", PROGRAM, "fine"], cwd=self.path,
                                      env=dict(os.environ, TMPDIR=str(self.path)))
            time.sleep(0.02 + 0.15 * draw.random())
            killed.kill()
            killed.wait()
            if not (self.path / "cut" / "campaign.sqlite").exists():
                continue
            self.assertEqual(self.stored("cut", "PRAGMA integrity_check"), [("ok",)])
            if not self.stored("cut", "SELECT 1 FROM sqlite_master WHERE name = 'runs'"):
                continue  # killed before the store had its tables
            if self.stored("cut", "SELECT count(*) FROM runs")[0][0] > 1200:
                break  # what is killed next would have ended by itself
        _, resumed = self.run_campaign("fine", "--resume", *options, out="cut")
        self.assertEqual(self.stored("cut", runs), self.stored("whole", runs))
        self.assertEqual(self.stored("cut", "SELECT count(*) FROM campaigns"), [(1,)])
        for report in (whole, resumed):
            for member in ("seconds", "resumed_from"):
                report.pop(member)
        self.assertEqual(resumed, whole)

    def test_two_campaigns_fill_one_store_at_once(self):
        commands = [subprocess.Popen([TOOL, "run", "--quiet", "--runs", "150", "--seed", seed,
                                      "--jobs", "2", "--out", "out", "--", PROGRAM, "fine"],
                                     cwd=self.path) for seed in ("1", "2")]
        self.assertEqual([command.wait(100) for command in commands], [0, 0])
        self.assertEqual(self.stored("out", "SELECT count(*), max(run) FROM runs GROUP BY campaign"),
                         [(150, 150), (150, 150)])

    def test_resume_goes_on_after_the_end_and_keeps_failures(self):
        options = ("--runs", "60", "--seed", "1", "--keep-going", "--no-minimize")
        _, first = self.run_campaign("lost", *options)
        _, second = self.run_campaign("lost", "--resume", *options)
        self.assertEqual((first["runs"], second["runs"], second["resumed_from"]), (60, 120, 60))
        (before,), (after,) = first["failures"], second["failures"]
        self.assertEqual(after["first_run"], before["first_run"])
        self.assertGreater(after["count"], before["count"])
        for member in ("id", "signature", "strategy", "reproduced", "directory"):
            self.assertEqual(after[member], before[member])
        kept = json.loads((pathlib.Path(after["directory"]) / "failure.json").read_text())
        self.assertEqual(kept["count"], after["count"])

    def coverage(self, out):
        result = self.heddle("coverage", out, "--json", f"{out}-coverage.json", "--csv", f"{out}.csv")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertTrue((self.path / f"{out}.csv").read_text().startswith("metric,run,tasks\n"))
        return json.loads((self.path / f"{out}-coverage.json").read_text())["metrics"]

    def test_the_same_campaign_covers_the_same_tasks(self):
        options = ("--runs", "60", "--seed", "3", "--coverage", "all")
        _, first = self.run_campaign("fine", *options, "--jobs", "1", out="one")
        _, second = self.run_campaign("fine", *options, "--jobs", "2", out="two")
        self.assertEqual(first["coverage"], second["coverage"])
        one, two = self.coverage("one"), self.coverage("two")
        self.assertIn("HBPair*", one)
        self.assertEqual(one, two)

    def test_another_build_of_the_same_source_covers_the_same_tasks(self):
        source = """
#include <mutex>
#include <thread>
struct Shared { std::mutex lock; int count = 0; };
static Shared* shared;
static int seen;
static void increase() {
  std::lock_guard guard(shared->lock);
  ++shared->count;
  seen = shared->count;
}
int main() {
  shared = new Shared;
  std::thread one(increase), two(increase);
  one.join(); two.join();
  return seen == 2 ? 0 : 1;
}
"""
        covered = []
        for directory in ("a", "a-longer-name"):
            (self.path / directory).mkdir()
            (self.path / directory / "p.cpp").write_text(source)
            program = f"{directory}/p"
            built = self.heddle("c++", "-std=c++17", "-g", f"{directory}/p.cpp", "-o", program, "-pthread")
            self.assertEqual(built.returncode, 0, built.stderr)
            out = f"out-{directory}"
            self.heddle("run", "--quiet", "--runs", "60", "--seed", "1", "--coverage", "all", "--out", out,
                        "--", program)
            covered.append({name: sorted(metric["covered"]) for name, metric in self.coverage(out).items()})
        self.assertEqual(covered[0], covered[1])
        self.assertIn("increase p.cpp:8 blocked", covered[0]["Sync"])
        self.assertTrue(any("shared" in task or "B from main p.cpp" in task for task in covered[0]["Eraser"]))

    def test_it_stops_when_a_metric_has_stopped_growing(self):
        result, report = self.run_campaign("fine", "--until", "saturation:Sync", "--seed", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(report["stopped_by"], "saturation")
        self.assertTrue(report["coverage"]["Sync"]["flat"])
        result = self.heddle("coverage", "out", "--metric", "Snyc")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1))
        self.assertIn("'Sync'", result.stderr)
        self.assertEqual(self.heddle("coverage", "nowhere").returncode, 2)

    def test_a_disk_that_is_full_gets_a_sentence(self):
        def small_files():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))

        result = self.heddle("run", "--runs", "1", "--", PROGRAM, "fine", preexec_fn=small_files)
        self.assertEqual(result.returncode, 2, result.stderr + result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)

    def test_a_thread_that_blocks_unseen_is_passed_over(self):
        result, report = self.run_campaign("unseen", "--runs", "8", "--seed", "1")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        self.assertGreater(report["watchdog_handovers"], 0)
        self.assertLess(report["control_percent"], 100)

    def later(self, act):
        """What somebody outside does, long after nothing can go on in the program."""
        timer = threading.Timer(1.0, act)
        timer.start()
        self.addCleanup(timer.join)

    def test_who_waits_for_a_pipe_of_somebody_else_is_no_deadlock(self):
        inside, outside = os.pipe()
        self.addCleanup(os.close, inside)
        self.addCleanup(os.close, outside)
        self.later(lambda: os.write(outside, b"x"))
        result, report = self.run_campaign(f"inherited {inside}", "--runs", "1", pass_fds=(inside,))
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        self.assertEqual(report["runs"], 1)

        os.mkfifo(self.path / "fifo")
        fifo = os.open(self.path / "fifo", os.O_RDWR)
        self.addCleanup(os.close, fifo)
        self.later(lambda: os.write(fifo, b"x"))
        result = self.run_campaign(f"named {self.path / 'fifo'}", "--runs", "1", out="named")[0]
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)

    def test_a_handler_may_still_bring_what_is_waited_for(self):
        # Not for ever: it is told after a moment that nothing goes on, but not as a deadlock.
        result, report = self.run_campaign("signalled", "--runs", "1", "--no-minimize")
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
        self.assertEqual(report["failures"][0]["kind"], "timeout")

    def test_a_prefix_is_followed_and_the_strategy_goes_on(self):
        report = self.run_campaign("lost", "--runs", "500", "--seed", "1")[1]
        folder = report["failures"][0]["directory"]
        result = self.heddle("replay", folder, "--prefix", "1", "--times", "2")
        self.assertIn(result.returncode, (0, 1, 3))
        self.assertRegex(result.stdout.splitlines()[-1], r"^reproduced [0-2]/2$")
        # With nothing followed it is what found the failure, under the same seed.
        result = self.heddle("replay", folder, "--prefix", "0", "--times", "2")
        self.assertEqual(result.stdout.splitlines()[-1], "reproduced 2/2", result.stdout + result.stderr)

    def test_a_replay_says_where_it_cannot_follow(self):
        report = self.run_campaign("lost", "--runs", "500", "--seed", "1")[1]
        file = pathlib.Path(report["failures"][0]["directory"]) / "schedule.json"
        schedule = json.loads(file.read_text())
        schedule["decisions"][0]["to"] = 700
        file.write_text(json.dumps(schedule))
        result = self.heddle("replay", str(file), "--times", "1")
        place = schedule["decisions"][0]["at"]
        self.assertRegex(result.stdout, rf"diverged: .* in {re.escape(place)}, where thread 700 was to run")

    def test_what_differs_from_the_recording_is_named(self):
        report = self.run_campaign("lost", "--runs", "500", "--seed", "1")[1]
        folder = pathlib.Path(report["failures"][0]["directory"])
        file = folder / "schedule.json"
        schedule = json.loads(file.read_text())
        schedule["build_id"], schedule["tool_version"] = "0123", "0.0.1"
        schedule["directory"] = "/no/such/directory"
        file.write_text(json.dumps(schedule))
        result = self.heddle("replay", str(folder), "--times", "2")
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)
        for word in ("build id", "0.0.1", "/no/such/directory"):
            self.assertIn(word, result.stdout)
        schedule["program"] = "/no/such/program"
        file.write_text(json.dumps(schedule))
        result = self.heddle("replay", str(folder))
        self.assertEqual(result.returncode, 2)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        result = self.heddle("replay", str(folder), "--times", "2", "--", PROGRAM)
        self.assertEqual(result.returncode, 1, result.stderr + result.stdout)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_stops_where_the_program_fails(self):
        report = self.run_campaign("deadlock", "--runs", "500", "--seed", "1")[1]
        result = self.heddle("replay", report["failures"][0]["directory"], "--gdb",
                             stdin=subprocess.DEVNULL)
        self.assertIn("SIGTRAP", result.stdout)

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_stops_before_a_failing_program_is_gone(self):
        report = self.run_campaign("lost", "--runs", "500", "--seed", "1")[1]
        self.assertEqual(report["failures"][0]["kind"], "exit")
        result = self.heddle("replay", report["failures"][0]["directory"], "--gdb",
                             stdin=subprocess.DEVNULL)
        self.assertRegex(result.stdout, "call to syscall exit_group")

    @unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
    def test_gdb_hands_arguments_on_as_they_are(self):
        odd = ["two words", "it's \"quoted\"", "Queue.*", "$HOME", ""]
        result = self.heddle("run", "--runs", "2", "--json", "out.json", "--", PROGRAM, "refuse", *odd)
        self.assertEqual(result.returncode, 1, result.stderr)
        report = json.loads((self.path / "out.json").read_text())
        result = self.heddle("replay", report["failures"][0]["directory"], "--gdb", stdin=subprocess.DEVNULL)
        for argument in odd:
            self.assertIn(f"refused <{argument}>", result.stdout + result.stderr)

    def test_bytes_that_are_no_text_change_nothing(self):
        odd = os.fsdecode(b"Gr\xf6\xdfe")
        out = self.path / os.fsdecode(b"o\xfft")
        result = self.heddle("run", "--runs", "2", "--out", out, "--json", "out.json", "--", PROGRAM, "refuse", odd,
                             environment={"ODD": odd})
        self.assertEqual(result.returncode, 1, result.stderr)
        failure = json.loads((self.path / "out.json").read_text())["failures"][0]
        self.assertEqual(failure["reproduced"], "10/10")
        folder = next((out / "failures").iterdir())
        schedule = json.loads((folder / "schedule.json").read_text())
        self.assertIn("Gr\uf7f6\uf7dfe", schedule["arguments"])
        self.assertIn("ODD=Gr\uf7f6\uf7dfe", schedule["environment"])
        result = self.heddle("replay", folder, "--times", "2")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("reproduced 2/2", result.stdout)
        self.assertNotIn("another failure", result.stdout)

    def test_a_saved_case_has_its_input_with_it(self):
        (self.path / "in.txt").write_text("one\nbroken\n")
        report = self.run_campaign("cat", "--runs", "2", "--stdin", "in.txt", "--fail-if", "broken")[1]
        saved = self.heddle("save", report["failures"][0]["directory"], "--name", "input")
        self.assertEqual(saved.returncode, 0, saved.stderr)
        (self.path / "in.txt").unlink()
        shutil.rmtree(report["failures"][0]["directory"])
        shutil.move(self.path / "heddle-cases", self.path / "elsewhere")
        result = self.heddle("replay", "elsewhere/input.json", "--times", "2")
        self.assertEqual(result.stdout.splitlines()[-1], "reproduced 2/2", result.stdout + result.stderr)
        (self.path / "elsewhere" / "input.stdin").unlink()
        result = self.heddle("run", "--runs", "1", "--cases", "elsewhere", "--", PROGRAM, "cat")
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("standard input", result.stderr)

    def test_dfs_runs_every_schedule_once_and_stops(self):
        result, report = self.run_campaign("lost", "--strategy", "dfs:1", "--keep-going", "--seed",
                                           "1")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(report["stopped_by"], "exhausted")


if __name__ == "__main__":
    TOOL, PROGRAM = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
