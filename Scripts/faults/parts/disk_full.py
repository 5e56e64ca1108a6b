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


def one(bench, tally, case, folder, free, options, saves=SAVES, size={}):
    """Some changes under a limit; `free` lifts it."""
    tally.cases += 1
    ledger = bench.ledger(**size)
    path = os.path.join(folder, "store.json")
    refused = 0
    with bench.driver(path, policy="immediate", **size, **options) as driver:
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
            for revision in range(saves):
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


def full_disks(bench, tally, writer, cases, inodes=range(1, 5), options={}, **more):
    """From a disk with almost no room to one with room for the store and its successor."""
    size = len(bench.ledger(**more.get("size", {})).rest)
    refused = 0
    for case in range(cases):
        kibibytes = 8 + (size * 9 // 4 // 1024 - 8) * case // cases
        with bench.mounted("-t", "tmpfs", "-o", f"size={kibibytes}k", "none", name="full") as folder:
            free = lambda _: command("mount", "-o", "remount,size=64m", folder)
            name = f"tmpfs of {kibibytes} KiB"
            refused += one(bench, tally, name, folder, free, {"writer": writer, **options}, **more)
    for count in inodes:
        with bench.mounted("-t", "tmpfs", "-o", f"nr_inodes={count}", "none", name="inodes") as folder:
            free = lambda _: command("mount", "-o", "remount,nr_inodes=1000", folder)
            name = f"tmpfs with {count} inodes"
            refused += one(bench, tally, name, folder, free, {"writer": writer, **options}, **more)
    return refused


def limited_files(bench, tally, writer, cases, largest=None, options={}, **more):
    """`ulimit -f`, with the signal ignored, as the error is then EFBIG. `largest` is the highest limit."""
    largest = largest or len(bench.ledger(**more.get("size", {})).rest) + 2000
    unlimited = resource.RLIM_INFINITY
    refused = 0
    for case in range(cases):
        limit = 1 + largest * case // cases

        def lower(limit=limit):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, unlimited))

        folder = bench.new_folder("limited")
        free = lambda driver: resource.prlimit(driver.pid, resource.RLIMIT_FSIZE, (unlimited, unlimited))
        name = f"files of at most {limit} bytes"
        refused += one(bench, tally, name, folder, free, {"writer": writer, "preexec": lower, **options}, **more)
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
