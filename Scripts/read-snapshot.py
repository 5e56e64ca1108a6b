#!/usr/bin/env python3
"""Reads a file of SnapshotStore in any format, checks it, and prints it as JSON: Scripts/read-snapshot.py FILE

It shares no code with the library. It does what the article “The file formats” says, and Scripts/compare-readers holds
it against the library on random files. The output is the file that the library writes in JSON for the same content, byte for byte. A file that is
damaged, or not of these formats, ends the program with 1 and a message. It needs Python 3.11 and nothing else.
"""
import sys

sys.dont_write_bytecode = True

from reader.files import json_file, read
from reader.values import Refused

if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        with open(sys.argv[1], "rb") as file:
            sys.stdout.buffer.write(json_file(read(file.read())))
    except (ValueError, Refused, OSError) as error:
        sys.exit(f"{sys.argv[1]}: {error}")
