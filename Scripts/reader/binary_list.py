"""Reads binary property lists: objects that are found by number through a table of offsets."""
import struct

from .values import Date, Digits, require, value_of, without_escape


def real_of_4_bytes(part):
    """The double of a float. A NaN keeps its bits, which a processor may change."""
    number, bits = struct.unpack(">f", part)[0], int.from_bytes(part, "big")
    if number == number:
        return number
    return struct.unpack(">d", ((bits >> 31 << 63) | 0x7FF << 52 | (bits & 0x7FFFFF) << 29).to_bytes(8, "big"))[0]


class Binary:
    def __init__(self, data):
        require(data[:8] == b"bplist00" and len(data) >= 42, "no binary property list of version 00")
        width, self.reference, count, self.top, self.end = struct.unpack(">6xBBQQQ", data[-32:])
        require(1 <= width <= 8 and 1 <= self.reference <= 8 and self.top < count and self.end >= 9
                and self.end + count * width == len(data) - 32, "the last 32 bytes are damaged")
        self.data, self.budget = data, max(2 * len(data), 1_000_000)
        self.offsets = self.numbers(self.end, width, count, len(data) - 32)

    def part(self, start, size, end=None):
        require(start + size <= (end or self.end), "an object reaches beyond the end")
        return self.data[start:start + size]

    def numbers(self, start, width, count, end=None):
        part = self.part(start, width * count, end)
        return [int.from_bytes(part[at:at + width], "big") for at in range(0, width * count, width)]

    def value(self, number, depth=1, above=(), is_key=False):
        require(number < len(self.offsets), "a reference to an object that does not exist")
        require(number not in above, "a container that holds itself")
        at = self.offsets[number]
        require(8 <= at < self.end, "an object outside of the file")
        kind, size = self.data[at] >> 4, self.data[at] & 15
        require(not is_key or kind in (5, 6), "a key that is not text")
        if self.data[at] in (0, 8, 9):
            return {0: None, 8: False, 9: True}[self.data[at]]
        if kind == 1 and size <= 4:
            integer = int.from_bytes(self.part(at + 1, 1 << size), "big", signed=size >= 3)
            require(-1 << 63 <= integer < 1 << 64, "an integer of more than 64 bits")
            return integer
        if self.data[at] in (0x22, 0x23, 0x33):
            part = self.part(at + 1, 1 << size)
            number = real_of_4_bytes(part) if size == 2 else struct.unpack(">d", part)[0]
            return Date(number) if kind == 3 else number
        start = at + 1
        if size == 15:
            require(self.part(start, 1)[0] >> 4 == 1 and self.data[start] & 15 <= 3, "a count that is damaged")
            start, width = start + 1, 1 << (self.data[start] & 15)
            size, start = self.numbers(start, width, 1)[0], start + width
        self.budget -= 1 + size // 64
        require(self.budget >= 0, "the list unfolds into more than its size allows")
        if kind == 4:
            return self.part(start, size)
        if kind in (5, 6):
            part = self.part(start, size if kind == 5 else 2 * size)
            text = part.decode("ascii" if kind == 5 else "utf-16-be")
            value = value_of(text, "binary") if kind == 5 and not is_key else text
            return value if is_key or isinstance(value, (Date, Digits)) else without_escape(value)
        require(kind in (0xA, 0xD), "an object of unknown type")
        require(depth <= 64, "nested deeper than 64 levels")
        items = self.numbers(start, self.reference, size * (2 if kind == 0xD else 1))
        values = [self.value(item, depth + 1, (*above, number)) for item in items[-size:] if size]
        if kind == 0xA:
            return values
        keys = [self.value(item, depth + 1, is_key=True) for item in items[:size]]
        require(len(set(keys)) == size, "a key that occurs twice")
        return dict(zip(keys, values))
