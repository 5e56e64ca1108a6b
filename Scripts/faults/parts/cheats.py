"""The negative controls: the same checks, with writers that cheat. A check that detects none of them is worth nothing.

The first four are writers of their own. The others are the library, without one step in its work on a journal, or on a
file that processes share.
"""

from . import (
    disk_full, journal_replaced, journals, kills, logged_device, odd_targets, power_cuts, processes, shared,
    shared_others, shared_power_cuts, short_writes, syscalls, write_back)
from .driver import Hang
from .tally import Skipped, Tally

# The checks that may detect a writer. At least one possible check must, and every check must detect a writer.
CHEATS = {
    "no-fsync": [power_cuts, logged_device.ALONE, write_back],
    "no-directory-fsync": [power_cuts, logged_device.ALONE, write_back],
    "in-place": [kills, syscalls, disk_full],
    "foundation": [short_writes, power_cuts, odd_targets, processes],
    "journal-no-line-sync": [journals.POWER_CUTS, logged_device.JOURNAL],
    "journal-no-first-sync": [journals.POWER_CUTS, logged_device.JOURNAL],
    "journal-no-name-sync": [journals.POWER_CUTS, logged_device.JOURNAL],
    "journal-removed-first": [journals.KILLS],
    "journal-of-another-file": [journal_replaced],
    "sharing-no-lock": [shared, shared_others],
    "sharing-no-line-sync": [shared_power_cuts, logged_device.SHARED],
}


class Caught:
    """The checks that detected a cheat."""

    def __init__(self, name):
        self.name = name
        self.by = {}
        self.missed_by = {}
        self.skipped = []

    @property
    def is_good(self):
        # If no check is possible at all, nothing is proved or refuted.
        return bool(self.by) or not self.missed_by

    @property
    def text(self):
        if self.by:
            return "caught by " + ", ".join(f"{check} ({what})" for check, what in self.by.items())
        missed = ", ".join(f"{check} ({what})" for check, what in self.missed_by.items())
        return f"NOT CAUGHT by {missed}" if missed else "SKIPPED: " + "; ".join(self.skipped)


def run(bench):
    results = []
    for name, parts in CHEATS.items():
        print(f"\n== the writer {name}", flush=True)
        caught = Caught(name)
        for part in parts:
            tally = Tally(f"{part.NAME} with {name}", shows=False)
            try:
                part.catch(bench, tally, name)
            except Skipped as skipped:
                tally.skip(str(skipped))
            except Hang as hang:
                tally.violation("hang", str(hang))
            caught.skipped += tally.skipped
            if tally.caught_by:
                caught.by[part.NAME] = "; ".join([f"{tally.caught_by} in {tally.cases} cases", *tally.notes])
            elif tally.cases:
                caught.missed_by[part.NAME] = f"{tally.cases} cases"
        results.append(caught)
        print(f"  {caught.text}", flush=True)
    return results


def blind_checks(results):
    """The checks that ran with a cheat and detected none."""
    seeing = {check for cheat in results for check in cheat.by}
    return sorted({check for cheat in results for check in cheat.missed_by} - seeing)
