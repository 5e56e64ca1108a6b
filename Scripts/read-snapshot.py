#!/usr/bin/env python3
"""Reads a file of SnapshotStore in any format, checks it, and prints it as JSON: Scripts/read-snapshot.py FILE [JOURNAL]

It shares no code with the library. It does what the article “The file formats” says, and Scripts/compare-readers holds
it against the library on random files. The output is the file that the library writes in JSON for the same content, byte for byte. A file that is
damaged, or not of these formats, ends the program with 1 and a message. With the journal beside the file, the output has
its changes too; new records stand at the ends of their tables. It needs Python 3.11 and nothing else.
"""
import sys

sys.dont_write_bytecode = True

from reader import journal
from reader.files import json_file, read
from reader.values import Refused, require

if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    path = sys.argv[1]
    try:
        with open(path, "rb") as file:
            data = file.read()
        snapshot = read(data)
        for path in sys.argv[2:]:
            with open(path, "rb") as file:
                lines = journal.since(journal.lines_of(file.read()), snapshot, data)
            require(lines is not None, "the journal stands on another file")
            snapshot = journal.replay(snapshot, lines)
        sys.stdout.buffer.write(json_file(snapshot))
    except (ValueError, Refused, OSError) as error:
        sys.exit(f"{path}: {error}")
