"""The results of one class of faults."""

import collections

# The columns of the table, and what each counts.
KINDS = {
    "lost": "acknowledged writes that are not in the file",
    "torn": "files that are neither the old value nor the new one",
    "crash": "processes that died other than by the kill that was meant",
    "hang": "processes that did not answer in time",
    "silent": "faults or targets that should have been reported, and were not",
    "other": "anything else: a temporary left behind, an error that names no file, a fault that did not strike",
}
# The columns that prove a writer unsafe.
DAMNING = ("lost", "torn", "silent")


class Skipped(Exception):
    """A check that is impossible on this machine; has the reason."""


class Tally:
    def __init__(self, name, shows=True):
        self.name = name
        self.cases = 0
        self.counts = collections.Counter()
        self.skipped = []
        self.notes = []
        # The first violations in words, for the end of the output.
        self.violations = []
        self._shows = shows

    def violation(self, kind, text):
        assert kind in KINDS, kind
        self.counts[kind] += 1
        # One cause may occur a thousand times.
        if self._shows and self.counts[kind] <= 20:
            self.violations.append(f"VIOLATION {self.name}: {kind}: {text}")
            print(f"  {self.violations[-1]}", flush=True)

    def skip(self, reason):
        self.skipped.append(reason)
        print(f"  SKIPPED {self.name}: {reason}", flush=True)

    @property
    def caught_by(self):
        return ", ".join(f"{kind} {self.counts[kind]}×" for kind in DAMNING if self.counts[kind])
