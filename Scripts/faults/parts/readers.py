"""Random bytes: the readers under libFuzzer, on half of the processors, while other parts wait for disks and clocks."""

import os
import re
import shutil

from .tally import Skipped

NAME = "bytes made by a fuzzer"
SCRIPT = os.path.join(os.path.dirname(__file__), "..", "fuzz-readers")
LINE = re.compile(r"^(\w+): (\d+) runs in .*no failure$")
READERS = ["json", "ndjson", "xml", "binary", "salvage", "journal"]


def start(bench):
    if not shutil.which("swiftc"):
        return
    # By time: the readers differ by a factor of fifty in inputs per second.
    environment = dict(os.environ, FUZZ_SECONDS=str(bench.fuzz_seconds), FUZZ_SEED=str(bench.seed))
    # The short form would spend most of its time in the optimiser.
    environment["FUZZ_UNOPTIMIZED"] = "" if bench.long else "1"
    environment["FUZZ_JOBS"] = str(max(1, os.cpu_count() // 2))
    bench.start_beside(NAME, [SCRIPT, "10000000", *READERS], environment)


def run(bench, tally):
    process = bench.beside.get(NAME)
    if not process:
        raise Skipped("there is no swiftc")
    output, errors = process.communicate()
    done = {}
    for line in output.splitlines():
        found = LINE.match(line)
        if found:
            done[found.group(1)] = int(found.group(2))
    for reader in READERS:
        if reader not in done:
            tally.violation("crash", f"{reader}: {errors[-2000:] or 'it did not run'}")
    tally.cases = sum(done.values())
    tally.notes = [f"{reader} {count:,}" for reader, count in done.items()]
