"""Random bytes: the readers under libFuzzer."""

import os
import re
import shutil
import subprocess

from .tally import Skipped

NAME = "bytes made by a fuzzer"
SCRIPT = os.path.join(os.path.dirname(__file__), "..", "fuzz-readers")
LINE = re.compile(r"^(\w+): (\d+) runs in .*no failure$")
READERS = ["json", "ndjson", "xml", "binary", "salvage"]


def run(bench, tally):
    if not shutil.which("swiftc"):
        raise Skipped("there is no swiftc")
    # By time: the readers differ by a factor of fifty in inputs per second.
    environment = dict(os.environ, FUZZ_SECONDS=str(bench.fuzz_seconds), FUZZ_SEED=str(bench.seed))
    # The short form would spend most of its time in the optimiser.
    environment["FUZZ_UNOPTIMIZED"] = "" if bench.long else "1"
    result = subprocess.run([SCRIPT, "10000000", *READERS], capture_output=True, text=True, env=environment)
    done = {}
    for line in result.stdout.splitlines():
        found = LINE.match(line)
        if found:
            done[found.group(1)] = int(found.group(2))
    for reader in READERS:
        if reader not in done:
            tally.violation("crash", f"{reader}: {result.stderr[-2000:] or 'it did not run'}")
    tally.cases = sum(done.values())
    tally.notes = [f"{reader} {count:,}" for reader, count in done.items()]
