"""Judges the bytes of a file of the fault driver, without the library: all of them must be those of one revision."""

import os
import re

NOTE = re.compile(rb"note (\d{6}) at revision (\d{10}) ")
HEAD = re.compile(rb'\{"snapshot":\{"checksum":(\d+),\n')


class Torn(Exception):
    """The bytes are not a complete revision; has the reason."""


def _crc_table():
    for number in range(256):
        value = number << 24
        for _ in range(8):
            value = (value << 1) ^ 0x04C11DB7 if value & 0x80000000 else value << 1
        yield value & 0xFFFFFFFF


CRC_TABLE = tuple(_crc_table())


def cksum(data):
    """The number that the POSIX utility prints."""
    table, value = CRC_TABLE, 0
    for byte in data:
        value = ((value << 8) & 0xFFFFFFFF) ^ table[(value >> 24) ^ byte]
    length = len(data)
    while length:
        value = ((value << 8) & 0xFFFFFFFF) ^ table[(value >> 24) ^ (length & 0xFF)]
        length >>= 8
    return value ^ 0xFFFFFFFF


class Ledger:
    """The bytes of every revision, from those of revision 0."""

    def __init__(self, empty, zero):
        """`empty` are the bytes of a store that was just made, `zero` those of revision 0."""
        self.empty = empty
        head, self.rest = self._split(zero)
        self.notes = len(NOTE.findall(self.rest))
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

    def rest_of(self, revision):
        numbers = []
        for index in range(self.notes):
            # The latest revision up to this one that changed the note.
            last = revision - (revision - index) % self.notes if revision > 0 else 0
            numbers.append(b"%010d" % max(0, last))
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
        """The revision of a file; None if there is none. Raises Torn."""
        try:
            with open(path, "rb") as file:
                return self.revision(file.read())
        except FileNotFoundError:
            return None


def temporaries(folder):
    """The remnants of saves, without lock files and generations."""
    return [name for name in os.listdir(os.fsencode(folder)) if name.endswith(b".tmp")]


def names(folder):
    """The files of a folder as bytes, without the lock files and generations of stores."""
    found = os.listdir(os.fsencode(folder))
    return sorted(name for name in found if not (name.startswith(b".") and name.endswith((b".lock", b".generations"))))
