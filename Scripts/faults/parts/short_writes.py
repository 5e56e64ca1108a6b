"""Writes that take fewer bytes than they are given, and a close that reports an error, by a preloaded library."""

import errno
import os
import shutil
import subprocess
from pathlib import Path

from .judge import ended_well, file_is_one_of, names_file, no_temporaries
from .tally import Skipped

NAME = "short write, failing close"
# Three writes of at most 1 MiB.
SIZE = {"notes": 300, "padding": 8000}


STEPS = ("open", "change", "flush", "change", "flush", "close")


def library(bench, name="short-write"):
    compiler = shutil.which("clang") or shutil.which("cc")
    if not compiler:
        raise Skipped("there is no C compiler")
    target = os.path.join(bench.folder, f"{name}.so")
    if os.path.exists(target):
        return target
    source = Path(__file__).with_name(f"{name}.c")
    result = subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", target, str(source), "-ldl"],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise Skipped(f"the preloaded library does not compile ({result.stderr.strip().splitlines()[-1:]})")
    return target


def one(bench, tally, writer, library, case, variables, may_fail, steps=STEPS, size=SIZE, **options):
    """Makes a store, saves some times under the fault, and closes."""
    tally.cases += 1
    ledger = bench.ledger(**size)
    folder = bench.new_folder("short")
    path = os.path.join(folder, "store.json")
    environment = {"LD_PRELOAD": library, **{name: str(value) for name, value in variables.items()}}
    # The allowed revisions of the file: the acknowledged one; before that also the previous one.
    kept, changed = None, -1
    with bench.driver(path, writer=writer, environment=environment, **size, **options) as driver:
        driver.start()
        for line in steps:
            answer = driver.ask(line) or "FAIL none: ended"
            if answer.startswith("FAIL"):
                if not may_fail:
                    tally.violation("other", f"{case}: {answer}")
                names_file(tally, answer, "store.json", case)
                if line == "open":
                    break
            elif answer.startswith("CHANGE"):
                changed = int(answer.split()[1])
            else:
                kept = changed
            judged = file_is_one_of(tally, ledger, path, [kept] if kept == changed else [kept, changed], case)
            if judged == "torn" and not answer.startswith("FAIL"):
                tally.violation("silent", f"{case}: {answer}, though the file is not what was saved")
                break
        code = driver.end()
    ended_well(tally, code, case)
    no_temporaries(tally, folder, case)
    shutil.rmtree(folder)


def check(bench, tally, writer, calls, caps, **options):
    preloaded = library(bench)
    for call in calls:
        for cap in caps:
            one(bench, tally, writer, preloaded, f"write {call} takes {cap}",
                {"FAULT_WRITE_CALL": call, "FAULT_WRITE_CAP": cap}, may_fail=cap == 0, **options)


def run(bench, tally, calls=None, **options):
    """`calls` are the numbers of the writes that are cut short."""
    random = bench.random(NAME)
    # 1 for the empty store, then 3 for each save. 0 means every write, which would take for ever byte by byte.
    caps = [0, 1, 4095, 65536, 1_000_000] + [random.randrange(1, 1 << 20) for _ in range(bench.count(7, 0))]
    check(bench, tally, "ours", calls or bench.count(range(1, 9), (1, 2, 4)), caps, **options)
    check(bench, tally, "ours", [0], [cap for cap in caps if cap == 0 or cap > 4000], **options)
    preloaded = library(bench)
    for error in (errno.EIO, errno.EINTR, errno.ENOSPC, errno.EDQUOT):
        one(bench, tally, "ours", preloaded, f"close fails with {errno.errorcode[error]}", {"FAULT_CLOSE_ERROR": error},
            may_fail=False, **options)


def catch(bench, tally, writer):
    check(bench, tally, writer, [1, 2], [1, 65536])
