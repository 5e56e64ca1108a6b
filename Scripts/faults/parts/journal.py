"""Judges the journal beside a file of the fault driver, without the library."""

import json
import os
import re

from .sums import Torn, cksum

SUM = re.compile(rb',"sum":(\d+)\}$')
FRAME = {"n", "after", "date", "sum"}


def journal_of(path):
    folder, name = os.path.split(path)
    return os.path.join(folder, f".{name}.journal")


MARKS = {"fold", "cut"}


class Journal:
    """The lines of a journal that count, with the header. Raises Torn unless each follows the one before it."""

    def __init__(self, data):
        # NULs behind the lines are space for the next ones.
        *whole, rest = data.rstrip(b"\0").split(b"\n")
        self.lines = []
        # Whether the last line was not written to its end.
        self.is_torn = bool(rest)
        for number, line in enumerate(whole):
            match = SUM.search(line)
            if not match or cksum(line[:match.start()]) != int(match.group(1)):
                if number < len(whole) - 1 or rest:
                    raise Torn(f"line {number + 1} of the journal is damaged, and more follows")
                self.is_torn = True
                break
            self._append(number, json.loads(line))
        if not self.lines:
            raise Torn(f"a journal of {len(data)} bytes without its first line")

    def _append(self, number, line):
        if number == 0 and line.get("journal") not in (1, 2):
            raise Torn("the first line of the journal is none")
        if number > 0 and (line["n"], line["after"]) != (number, self.lines[-1]["sum"]):
            raise Torn(f"line {number + 1} of the journal does not follow the one before it")
        self.lines.append(line)

    @property
    def ends_in_fold(self):
        return not MARKS.isdisjoint(self.lines[-1])

    def changes(self, base):
        """The lines since the file had this checksum and size."""
        marks = [number for number, line in enumerate(self.lines)
                 if base in (line.get("base"), line.get("fold"), line.get("cut"))]
        changes = [number for number, line in enumerate(self.lines) if number and MARKS.isdisjoint(line)]
        if not marks and changes:
            raise Torn(f"the journal stands on another file than {base}")
        return [self.lines[number] for number in changes if number > marks[-1]]

    def records(self, base):
        """The notes that were put since the file had this checksum and size."""
        for line in self.changes(base):
            if line.keys() - FRAME != {"put"} or [*line["put"]] != ["notes"]:
                raise Torn(f"a line of the journal has more than notes: {[*line]}")
            yield from line["put"]["notes"]


def unfinished_work(path, is_ahead, new_temporaries):
    """What a killed process was in the middle of, by what it has left behind; None if that does not show.

    `is_ahead`: whether the store has more than was acknowledged.
    """
    try:
        with open(journal_of(path), "rb") as file:
            journal = Journal(file.read())
    except FileNotFoundError:
        if new_temporaries:
            return "making a journal"
        return "a fold" if is_ahead else None
    if journal.ends_in_fold or new_temporaries:
        return "a fold"
    return "an append" if journal.is_torn or is_ahead else None
