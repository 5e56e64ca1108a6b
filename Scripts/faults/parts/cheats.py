"""The negative controls: the same checks, with writers that cheat. A check that finds none of them out is worth nothing."""

from . import kills, odd_targets, power_cuts, short_writes, syscalls, write_back
from .tally import Skipped, Tally

# Which checks should find a writer out. All that can run are run; one is enough.
CHEATS = {
    "no-fsync": [power_cuts, write_back],
    "no-directory-fsync": [power_cuts],
    "in-place": [kills, syscalls],
    "foundation": [short_writes, power_cuts, odd_targets],
}


class Caught:
    """What found a cheat out."""

    def __init__(self, name):
        self.name = name
        self.by = []
        self.missed_by = []
        self.skipped = []

    @property
    def is_caught(self):
        return bool(self.by)

    @property
    def is_good(self):
        # Where no check can run at all, nothing is proved and nothing refuted.
        return self.is_caught or not self.missed_by

    @property
    def text(self):
        if self.by:
            return "caught by " + "; ".join(self.by)
        return "NOT CAUGHT by " + ", ".join(self.missed_by) if self.missed_by else "SKIPPED: " + "; ".join(self.skipped)


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
            caught.skipped += tally.skipped
            if tally.caught_by:
                caught.by.append(f"{part.NAME} ({tally.caught_by} in {tally.cases})")
            elif tally.cases:
                caught.missed_by.append(f"{part.NAME} ({tally.cases} cases)")
        results.append(caught)
        print(f"  {caught.text}", flush=True)
    return results
