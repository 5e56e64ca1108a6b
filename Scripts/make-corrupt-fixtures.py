#!/usr/bin/env python3
"""Writes the files in fixtures/corrupt that no text editor would: binary property lists, bytes that are no text, and
damaged copies of fixtures/v1/plain. The readable ones beside them were written by hand and are left alone.

    Scripts/make-corrupt-fixtures.py [DIRECTORY]

writes into DIRECTORY, or into fixtures/corrupt. The same files come out every time.
"""

import pathlib
import struct
import sys

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"


class BinaryList:
    """A binary property list, made object by object: valid ones and others."""

    def __init__(self):
        self.objects = []

    def add(self, data):
        self.objects.append(data)
        return len(self.objects) - 1

    def text(self, text):
        return self.add(marker(0x50, len(text)) + text.encode("ascii"))

    def array(self, elements):
        return self.add(marker(0xA0, len(elements)) + references(elements))

    def dictionary(self, members):
        return self.add(marker(0xD0, len(members)) + references([key for key, _ in members] + [value for _, value in members]))

    def header(self):
        return self.dictionary([(self.text("schema"), self.text("notebook")), (self.text("version"), self.add(b"\x10\x01"))])

    def document(self, notes):
        """The file of a notebook whose notes are the given object."""
        return self.file(self.dictionary([(self.text("snapshot"), self.header()), (self.text("notes"), notes)]))

    def document_with(self, value, key="text"):
        """The file of a notebook with one note, one of whose members is the given object."""
        return self.document(self.array([self.dictionary([(self.text(key), value)])]))

    def file(self, top, offsets=None):
        body = b"bplist00"
        places = []
        for data in self.objects:
            places.append(len(body))
            body += data
        for index, place in (offsets or {}).items():
            places[index] = place
        table = b"".join(struct.pack(">I", place) for place in places)
        return body + table + struct.pack(">6xBBQQQ", 4, 2, len(self.objects), top, len(body))


def marker(kind, count):
    return bytes([kind | count]) if count < 15 else bytes([kind | 15, 0x11]) + struct.pack(">H", count)


def references(numbers):
    return b"".join(struct.pack(">H", number) for number in numbers)


def lie(kind, count):
    """A marker with a count of eight bytes, which nothing follows."""
    return bytes([kind | 15, 0x13]) + struct.pack(">Q", count)


def with_member(data, key="text"):
    plist = BinaryList()
    return plist.document_with(plist.add(data), key)


def circle(make):
    plist = BinaryList()
    key = plist.text("a")
    first = len(plist.objects)
    make(plist, key, first + 1)
    make(plist, key, first)
    return plist.document_with(first)


def nested(levels, make):
    plist = BinaryList()
    inner = plist.text("x")
    for _ in range(levels):
        inner = make(plist, inner)
    return plist.document_with(inner)


def other_offset(place):
    plist = BinaryList()
    text = plist.text("x")
    notes = plist.array([plist.dictionary([(plist.text("text"), text)])])
    top = plist.dictionary([(plist.text("snapshot"), plist.header()), (plist.text("notes"), notes)])
    return plist.file(top, {text: place})


def key_twice():
    plist = BinaryList()
    key, value = plist.text("id"), plist.text("x")
    return plist.document(plist.array([plist.dictionary([(key, value), (key, value)])]))


def binary_lists():
    sound = BinaryList()
    sound = sound.document(sound.array([]))
    yield "array-count-2-64.bplist", with_member(lie(0xA0, 2**64 - 1))
    yield "dictionary-count-2-63.bplist", with_member(lie(0xD0, 2**63 - 1))
    yield "set-count-2-64.bplist", with_member(lie(0xC0, 2**64 - 1))
    yield "text-count-2-64.bplist", with_member(lie(0x50, 2**64 - 1))
    yield "data-count-2-40.bplist", with_member(lie(0x40, 2**40))
    yield "utf16-count-2-63.bplist", with_member(lie(0x60, 2**63))
    yield "offset-of-the-magic.bplist", other_offset(0)
    yield "offset-outside.bplist", other_offset(2**32 - 1)
    yield "reference-outside.bplist", with_member(b"\xa1\xff\xff")
    yield "circular-array.bplist", circle(lambda plist, key, other: plist.array([other]))
    yield "circular-dictionary.bplist", circle(lambda plist, key, other: plist.dictionary([(key, other)]))
    yield "shared-children.bplist", nested(50, lambda plist, inner: plist.array([inner, inner]))
    yield "depth-65.bplist", nested(62, lambda plist, inner: plist.array([inner]))
    yield "set.bplist", with_member(b"\xc0")
    yield "uid.bplist", with_member(b"\x80\x01")
    yield "unknown-marker.bplist", with_member(b"\x0c")
    yield "integer-128-bit.bplist", with_member(b"\x14" + struct.pack(">QQ", 1, 0), "id")
    yield "lone-surrogate.bplist", with_member(b"\x61\xd8\x00")
    yield "ascii-with-high-byte.bplist", with_member(b"\x51\xe9")
    yield "duplicate-key.bplist", key_twice()
    plist = BinaryList()
    yield "key-is-a-number.bplist", plist.document(plist.array([plist.dictionary([(plist.add(b"\x10\x01"), plist.text("x"))])]))
    yield "top-outside.bplist", sound[:-16] + struct.pack(">Q", 2**64 - 1) + sound[-8:]
    yield "object-count-2-62.bplist", sound[:-24] + struct.pack(">Q", 2**62) + sound[-16:]
    yield "version-15.bplist", b"bplist15" + sound[8:]
    yield "magic-alone.bplist", b"bplist00"


def text_bytes():
    header = b'{"snapshot":{"schema":"notebook","version":1},\n'
    sound = header + b'"tags":[{"id":"x","name":"x"}]}\n'
    yield "invalid-utf8.json", sound.replace(b'"x"}', b'"x\xc3("}')
    yield "overlong-utf8.json", sound.replace(b'"x"}', b'"\xc0\x80"}')
    yield "surrogate-utf8.json", sound.replace(b'"x"}', b'"\xed\xa0\x80"}')
    yield "raw-control.json", sound.replace(b'"x"}', b'"x\x01"}')
    yield "utf16.json", sound.decode().encode("utf-16-le")
    yield "utf16-with-mark.json", b"\xfe\xff" + sound.decode().encode("utf-16-be")
    # A possible remnant of an unsynced file after a power cut.
    yield "zeros.json", bytes(len(sound))
    yield "brackets-513.json", b"[" * 513
    yield "brackets-513-in-the-header.json", b'{"snapshot":' + b"[" * 513
    plist = (FIXTURES / "v1/plain.plist").read_bytes()
    bare = b"".join(plist.partition(b"\t<key>attachments")[1:])
    head = b'<plist version="1.0">\n<dict>\n\t<key>snapshot</key>\n\t<dict><key>schema</key><string>notebook</string>'
    head += b"<key>version</key><integer>1</integer></dict>\n"
    yield "integer-of-bytes-ff.plist", (head + bare).replace(b"<integer>1536", b"<integer>" + b"\xff" * 9)
    yield "raw-control.plist", (head + bare).replace(b"Museums", b"Mus\x02eums")
    yield "utf16.plist", plist.decode().replace("UTF-8", "UTF-16").encode("utf-16")


def damaged_copies():
    for extension in ["json", "ndjson", "plist", "bplist"]:
        sound = (FIXTURES / f"v1/plain.{extension}").read_bytes()
        yield f"half.{extension}", sound[: len(sound) // 2]
        place = sound.index(b"jpeg")
        yield f"flipped-bit.{extension}", sound[:place] + bytes([sound[place] ^ 1]) + sound[place + 1 :]
    sound = (FIXTURES / "v1/plain.json").read_bytes()
    checksum, _, rest = sound.partition(b"\n")
    yield "half-without-checksum.json", (b'{"snapshot":{' + rest)[: len(sound) // 2]
    yield "edited.json", sound.replace(b"Baguette", b"Brioche")
    yield "last-line-lost.json", b"".join(sound.splitlines(keepends=True)[:-1])
    yield "line-ends-changed.json", sound.replace(b"\n", b"\r\n")
    lines = (FIXTURES / "v1/plain.ndjson").read_bytes().splitlines(keepends=True)
    yield "last-line-lost.ndjson", b"".join(lines[:-1])


def main():
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FIXTURES / "corrupt"
    for files in [binary_lists(), text_bytes(), damaged_copies()]:
        for name, data in files:
            (directory / name).write_bytes(data)


main()
