#!/usr/bin/env python3
"""Signal handlers that run in threads which have only just begun: nothing of what they do is dropped.

usage: early_signals_test.py --heddle TOOL
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).parent / "early_signals.c"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heddle", required=True)
    heddle = str(Path(parser.parse_args().heddle).absolute())
    with tempfile.TemporaryDirectory(prefix="heddle-early-signals-") as scratch:
        binary, result = Path(scratch) / "early_signals", Path(scratch) / "result.json"
        subprocess.run([heddle, "cc", "-g", "-O1", "-pthread", str(SOURCE), "-o", str(binary)], check=True)
        command = [heddle, "run", "--engine", "free", "--runs", "20", "--seed", "1", "--detect", "fasttrack,misuse", "--json"]
        command += [str(result), "--out", str(Path(scratch) / "out"), "--", str(binary)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        answer = json.loads(result.read_text(encoding="utf-8"))
        if done.returncode != 0 or answer["detection_dropped"] != 0 or answer["findings"]:
            print(f"exit status {done.returncode}\n{done.stdout}{done.stderr}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
