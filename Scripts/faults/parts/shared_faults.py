"""Faults in the middle of a save to a file that others have open too, and locks that are none."""

import concurrent.futures

from . import shared_disks, shared_locks, shared_signals, short_writes
from .sharing import JOURNALS
from .tally import Skipped

NAME = "shared store, faults"


def cases(bench, short):
    """The places of a fault: with or without a journal, and before one call of a process that has the lock."""
    every = [(journal, call) for journal, calls in shared_signals.CALLS.items() for call in calls]
    return every if bench.long else short


def run(bench, tally):
    shared_locks.check(bench, tally)
    stops = cases(bench, [("a journal", "fdatasync"), ("no journal", "renameat")])
    short_writes.library(bench, "sharing-flaws")
    # They wait most of the time.
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda case: shared_signals.stop(bench, tally, *case), stops))
    kills = cases(bench, [("a journal", "pwrite"), ("no journal", "unlock")])
    for journal, call in kills:
        shared_signals.kill(bench, tally, journal, call, bench.count(10, 2))
    limits = bench.count((100, 300, 1_500), (300,))
    refused = sum(shared_disks.limited(bench, tally, journal, limit) for journal in JOURNALS for limit in limits)
    try:
        refused += sum(shared_disks.full_disk(bench, tally, journal) for journal in JOURNALS)
        tally.cases += len(JOURNALS)
    except Skipped as skipped:
        tally.skip(str(skipped))
    killed = len(kills) * bench.count(10, 2)
    tally.cases += len(stops) + killed + len(JOURNALS) * len(limits)
    tally.notes.append(f"{len(stops)} stops; {killed} kills; {refused:,} saves failed on full disks")
    if not refused:
        tally.violation("other", "no disk was ever full")
