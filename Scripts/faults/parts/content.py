"""Judges the bytes of a file of the fault driver, without the library: all of them must be those of one revision.

A store with a journal is at the revision that the file and the lines of the journal have together.
"""

import errno
import json
import os
import re

from .journal import Journal, journal_of
from .sums import Torn, cksum

NOTE = re.compile(rb"note (\d{6}) at revision (\d{10}) ")
HEAD = re.compile(rb'\{"snapshot":\{"checksum":(\d+),\n')


class Ledger:
    """The bytes of every revision, from those of revision 0."""

    def __init__(self, empty, zero):
        """`empty` are the bytes of a store that was just made, `zero` those of revision 0."""
        self.empty = empty
        head, self.rest = self._split(zero)
        self.notes = len(NOTE.findall(self.rest))
        self.records = json.loads(zero)["notes"]
        # The pieces between the numbers of revisions.
        self.pieces = re.split(rb"(?<= at revision )\d{10}", self.rest)
        self._checked = {}
        if cksum(self.rest) != head:
            raise Torn("the first file of the driver has a wrong checksum")

    @staticmethod
    def _split(data):
        match = HEAD.match(data)
        if not match:
            raise Torn(f"no header: {data[:60]!r}")
        return int(match.group(1)), data[match.end():]

    def numbers_of(self, revision):
        """For each note the latest revision up to this one that changed it."""
        if revision < 0:
            return [None] * self.notes
        return [max(0, revision - (revision - index) % self.notes if revision > 0 else 0) for index in range(self.notes)]

    def rest_of(self, revision):
        numbers = [b"%010d" % number for number in self.numbers_of(revision)]
        joined = [piece for pair in zip(self.pieces, numbers) for piece in pair]
        return b"".join(joined + [self.pieces[-1]])

    def revision(self, data):
        """The revision of these bytes; -1 for a store without notes. Raises Torn."""
        if data == self.empty:
            return -1
        checksum, rest = self._split(data)
        revision = max((int(number) for _, number in NOTE.findall(rest)), default=-1)
        if revision < 0:
            raise Torn(f"{len(data)} bytes without a note")
        expected = self.rest_of(revision)
        if rest != expected:
            at = next((i for i, (a, b) in enumerate(zip(rest, expected)) if a != b), min(len(rest), len(expected)))
            raise Torn(f"{len(rest)} bytes instead of {len(expected)} for revision {revision}, another one at {at}")
        if revision not in self._checked:
            if len(self._checked) > 100:
                self._checked.clear()
            self._checked[revision] = cksum(expected)
        if self._checked[revision] != checksum:
            raise Torn(f"the checksum is {checksum} instead of {self._checked[revision]}")
        return revision

    def revision_of_file(self, path):
        """The revision of a file and its journal; None if there is no file. Raises Torn."""
        data, journal = read_if_any(path), read_if_any(journal_of(path))
        if data is None:
            if journal is not None:
                raise Torn("a journal without its file")
            return None
        revision = self.revision(data)
        if journal is None:
            return revision
        numbers = self.numbers_of(revision)
        for record in Journal(journal).records({"checksum": self._split(data)[0], "size": len(data)}):
            self._put(record, numbers)
        revision = max((number for number in numbers if number is not None), default=-1)
        if numbers != self.numbers_of(revision):
            raise Torn(f"the journal leads to {numbers}, which is not revision {revision}")
        return revision

    def _put(self, record, numbers):
        """Notes the revision of a record of a journal, all of which must be that of the driver."""
        match = NOTE.match(record.get("text", "").encode())
        if not match or int(match.group(1)) >= self.notes:
            raise Torn(f"the journal has an unknown record: {record}")
        index, number = int(match.group(1)), int(match.group(2))
        zero = self.records[index]
        if record != zero | {"text": zero["text"].replace("%010d" % 0, "%010d" % number, 1)}:
            raise Torn(f"the journal has another record than note {index} at revision {number}")
        numbers[index] = number


def read_if_any(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        # The name of a journal whose file has nearly the longest name. The library shortens it.
        if error.errno != errno.ENAMETOOLONG:
            raise
        return None


def remove_store(path):
    for name in (path, journal_of(path)):
        if os.path.exists(name):
            os.remove(name)


def temporaries(folder):
    """The remnants of saves, without lock files and generations."""
    return [name for name in os.listdir(os.fsencode(folder)) if name.endswith(b".tmp")]


def names(folder):
    """The files of a folder as bytes, without the lock files and generations of stores."""
    found = os.listdir(os.fsencode(folder))
    return sorted(name for name in found if not (name.startswith(b".") and name.endswith((b".lock", b".generations"))))
