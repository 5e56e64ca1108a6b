"""The same faults with a journal beside the file: small, so that a few changes fill it and folds are frequent."""

from types import SimpleNamespace as Part

from . import disk_full, kills, power_cuts, short_writes, syscalls
from .tally import Skipped

SIZE = {"notes": 20, "padding": 200}
# The header and three lines.
LIMIT = 3_000
# The header and one line, so that every second save makes a journal, and the others fold.
ONE_LINE = 1_000


def flawed(bench, flaw):
    """The library without one of its steps."""
    library = short_writes.library(bench, "journal-flaws")
    return {
        "environment": {"LD_PRELOAD": library, "FAULT_JOURNAL": flaw.removeprefix("journal-")},
        "size": SIZE, "journal": LIMIT if flaw == "journal-no-line-sync" else ONE_LINE,
        # In the short form one loss is enough.
        "until_caught": not bench.long}


def run_kills(bench, tally):
    # On a disk nearly all the time passes in syncs. In memory all calls take as long.
    work = kills.check(bench, tally, "ours", bench.count(4_000, 20), 0.06, SIZE, journal=LIMIT)
    try:
        with bench.mounted("-t", "tmpfs", "none", name="memory") as folder:
            work += kills.check(bench, tally, "ours", bench.count(6_000, 40), 0.01, SIZE, folder, journal=LIMIT)
    except Skipped as skipped:
        tally.skip(f"in memory: {skipped}")
    tally.notes += [f"{count:,} in the middle of {name}" for name, count in work.most_common() if name]
    for name in ("an append", "a fold"):
        if not work[name]:
            tally.violation("other", f"no kill fell into the middle of {name}")


def catch_kills(bench, tally, flaw):
    kills.check(bench, tally, "ours", bench.count(300, 100), 0.06, **flawed(bench, flaw))


def run_power_cuts(bench, tally):
    power_cuts.run(bench, tally, short=6, size=SIZE, journal=LIMIT)


def catch_power_cuts(bench, tally, flaw):
    # After most of these pauses, nothing else has synced what the flaw has not.
    power_cuts.catch(bench, tally, "ours", short=40, longest=0.15, pause=20_000, **flawed(bench, flaw))


def run_short_writes(bench, tally):
    steps = ["open", *["change", "flush"] * 3, "fold", *["change", "flush"] * 2, "close"]
    short_writes.run(
        bench, tally, bench.count(range(1, 14), [3]), steps=steps, journal=20_000, size={"notes": 20, "padding": 5_000})


def run_disk_full(bench, tally):
    # Journals of up to 20,000 bytes take several pages. A file has less than 4,000, so the limit strikes journals.
    small = {"notes": 5, "padding": 500}
    many = {"saves": 40, "options": {"journal": 20_000}}
    refused = disk_full.limited_files(bench, tally, "ours", bench.count(40, 1), 20_000, size=small, **many)
    try:
        refused += disk_full.full_disks(bench, tally, "ours", bench.count(60, 1), bench.count(range(1, 5), [2]), **many)
    except Skipped as skipped:
        tally.skip(str(skipped))
    tally.notes.append(f"{refused} saves failed at first")
    if not refused:
        tally.violation("other", "no disk was ever full")


CALLS = Part(NAME=f"{syscalls.NAME}, journal", run=syscalls.run_journal)
SHORT_WRITES = Part(NAME=f"{short_writes.NAME}, journal", run=run_short_writes)
KILLS = Part(NAME=f"{kills.NAME}, journal", run=run_kills, catch=catch_kills)
POWER_CUTS = Part(NAME=f"{power_cuts.NAME}, journal", run=run_power_cuts, catch=catch_power_cuts)
DISK_FULL = Part(NAME=f"{disk_full.NAME}, journal", run=run_disk_full)
