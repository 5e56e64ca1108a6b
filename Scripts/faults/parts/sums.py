"""The checksum of files, and the finding that a file is not what it should be."""


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
