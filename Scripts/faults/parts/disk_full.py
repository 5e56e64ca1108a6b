"""Full disks of many sizes and limits on the size of a file: failures are reported, and the store recovers by itself."""

import os
import resource
import shutil
import signal

from .bench import run as command
from .driver import Hang
from .judge import ended_well, file_is_one_of, names_file, no_temporaries
from .tally import Skipped

NAME = "disk full"
SAVES = 2


def one(bench, tally, case, folder, free, prefix_options):
    """Two changes under a limit; `free` lifts it."""
    tally.cases += 1
    ledger = bench.ledger()
    path = os.path.join(folder, "store.json")
    refused = 0
    with bench.driver(path, policy="immediate", **prefix_options) as driver:
        try:
            answer = driver.start("open")[1]
            if answer and answer.startswith("FAIL"):
                refused += 1
                names_file(tally, answer, "store.json", case)
                file_is_one_of(tally, ledger, path, [None], case)
                no_temporaries(tally, folder, case)
                free(driver)
                answer = driver.ask("open")
            if answer != "OPEN -1":
                tally.violation("other", f"{case}: {answer}")
                return refused
            for revision in range(SAVES):
                driver.ask("change")
                answer = driver.ask("wait 20", limit=25)
                if answer and answer.startswith("FAIL"):
                    refused += 1
                    names_file(tally, answer, "store.json", case)
                    file_is_one_of(tally, ledger, path, [revision - 1], f"{case}, after {answer}")
                    no_temporaries(tally, folder, case)
                    free(driver)
                    answer = driver.answer(limit=25)
                if answer != f"ACK {revision}":
                    kind = "hang" if answer == "TIMEOUT" else "other"
                    tally.violation(kind, f"{case}: does not catch up with revision {revision}: {answer}")
                    return refused
                file_is_one_of(tally, ledger, path, [revision], case)
            if driver.ask("close") != "CLOSED":
                tally.violation("other", f"{case}: does not close")
            ended_well(tally, driver.end(), case)
            no_temporaries(tally, folder, case)
        except Hang as hang:
            tally.violation("hang", f"{case}: {hang}")
    return refused


def full_disks(bench, tally, writer, cases):
    """From a disk with almost no room to one with room for the store and its successor."""
    size = len(bench.ledger().rest)
    refused = 0
    for case in range(cases):
        kibibytes = 8 + (size * 9 // 4 // 1024 - 8) * case // cases
        with bench.mounted("-t", "tmpfs", "-o", f"size={kibibytes}k", "none", name="full") as folder:
            free = lambda _: command("mount", "-o", "remount,size=64m", folder)
            refused += one(bench, tally, f"tmpfs of {kibibytes} KiB", folder, free, {"writer": writer})
    for inodes in range(1, 5):
        with bench.mounted("-t", "tmpfs", "-o", f"nr_inodes={inodes}", "none", name="inodes") as folder:
            free = lambda _: command("mount", "-o", "remount,nr_inodes=1000", folder)
            refused += one(bench, tally, f"tmpfs with {inodes} inodes", folder, free, {"writer": writer})
    return refused


def limited_files(bench, tally, writer, cases):
    """`ulimit -f`, with the signal ignored, as the error is then EFBIG."""
    size = len(bench.ledger().rest)
    unlimited = resource.RLIM_INFINITY
    refused = 0
    for case in range(cases):
        limit = 1 + (size + 2000) * case // cases

        def lower(limit=limit):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, unlimited))

        folder = bench.new_folder("limited")
        free = lambda driver: resource.prlimit(driver.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
        refused += one(bench, tally, f"files of at most {limit} bytes", folder, free, {"writer": writer, "preexec": lower})
        shutil.rmtree(folder)
    return refused


def run(bench, tally):
    refused = limited_files(bench, tally, "ours", bench.count(20, 4))
    try:
        refused += full_disks(bench, tally, "ours", bench.count(100, 8))
    except Skipped as skipped:
        tally.skip(str(skipped))
    tally.notes.append(f"{refused} saves failed at first")
    if not refused:
        tally.violation("other", "no disk was ever full")


def catch(bench, tally, writer):
    limited_files(bench, tally, writer, 4)
    full_disks(bench, tally, writer, 8)
