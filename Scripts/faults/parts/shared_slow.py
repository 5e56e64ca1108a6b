"""The same processes on a slow disk: another one is opened in the middle of a save, and many saves follow each look."""

from . import shared, short_writes
from .sharing import JOURNALS

NAME = "shared store, slow disk"
# Microseconds.
SYNC_TIME = 20_000


def run(bench, tally):
    environment = {"LD_PRELOAD": short_writes.library(bench, "slow-disk"), "FAULT_SYNC_TIME": str(SYNC_TIME)}
    for case, journal in JOURNALS.items():
        note = shared.check(
            bench, tally, case, journal, 10, *bench.count((100, 5), (8, 1)), killed=0.3, environment=environment)
        tally.notes.append(note)
