"""Random files without a checksum, most of them whole, made of the texts and numbers at which readers go wrong."""

import json
import random
import struct

TEXTS = [
    "", "A walk", " 1 ", "1_0", "0", "-1", "d", "null", "$null", "$$null", "$nul", "\0", "a\0b", "\ufffe", "caf\u00e9",
    "cafe\u0301", "\U0001f600", "\u0661", "NaN", "-NaN", "nan", "Infinity", "-Infinity", "--Infinity", "NaN(0x1)",
    "NaN(0x7ff8000000000001)", "NaN(0x7ff0000000000000)", "NaN(0xFFF8000000000000)", "2026-11-21T15:30:00Z",
    "2026-11-21T15:30:00.1Z", "2026-11-21T15:30:00.100Z", "2000-02-29T24:00:00Z", "2000-02-29T23:59:60Z",
    "1900-02-29T00:00:00Z", "0000-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.99999Z",
    "9999-12-31T23:59:59.999999Z", "10000-01-01T00:00:00Z", "2001-01-01T00:00:00Z-0.0", "2001-01-01T00:00:00Z+0.0",
    "2001-01-01T00:00:00Z+1e+300", "2001-01-01T00:00:00Z-1e300", "2001-01-01T00:00:00Z+252423993600.0",
    "2001-01-01T00:00:00Z+NaN", "2001-01-01T00:00:00Z-NaN", "2001-01-01T00:00:00Z+NaN(0xfff8000000000001)",
    "2001-01-01T00:00:00Z-Infinity", "data:;base64,", "data:;base64,AAEC", "data:;base64,AAE=", "data:;base64,AAF=",
    "data:;base64,A", "data:text/plain;charset=utf-8;base64,YQBi", "data:text/plain;charset=utf-8;base64,AA==",
    "data:text/plain;charset=utf-8;base64,YWI=", "data:text/plain;charset=utf-8;base64,/w==", "decimal:1", "decimal:1e400",
    "decimal:0.1234567890123456789", "decimal:0.12345678901234567890x", "decimal:00.1234567890123456789"]
NUMBERS = [
    "0", "-0", "1", "-1", "00", "01", "+1", "1.", ".5", "1.0", "0.1", "-0.0", "0e-400", "1e5", "1E+05", "1e-05", "1e",
    "1e16", "1e100000000000000000", "1e-99999999999999999", "1e400", "-1e400", "1e-400", "2e-324", "5e-324", "1.7976931348623157e308", "1.7976931348623159e308", "0x10",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
    "-9223372036854775808", "-9223372036854775809", "123456789012345678.0", "12345678901234567.0",
    "9007199254740993.0", "1.0000000000000000000", "0.1000000000000000055511151231257827", "65.613616999999977",
    "0.1234567890123456789", "+00.30000000000000001", ".12345678901234567891", "12345678901234567891.", "-0x1F", "0xG",
    "12345678901234567891E+2", "0xFFFFFFFFFFFFFFFF", "0x10000000000000000", "3e-324", "-00"]
DATES = TEXTS[28:40] + ["2026-11-21T15:30:00+01:00", "2026-11-21T15:30:00.25-23:59", "2026-11-21T15:30:00+24:00"]


def json_text(text):
    if text and ord(text[0]) < 0x10000 and random.random() < 0.2:
        return f'"\\u{ord(text[0]):04x}' + json.dumps(text[1:])[1:]
    return json.dumps(text, ensure_ascii=random.random() < 0.5)


def json_value(depth=0):
    kind = random.random() * (0.8 if depth > 2 else 1)
    if kind < 0.4:
        return json_text(random.choice(TEXTS))
    if kind < 0.8:
        return random.choice(NUMBERS) if kind < 0.7 else random.choice(["true", "false", "null"])
    values = [json_value(depth + 1) for _ in range(random.randrange(3))]
    if kind < 0.9:
        return f"[{','.join(values)}]"
    return "{" + ",".join(f"{json_text(random.choice(TEXTS))}:{value}" for value in values) + "}"


def json_file():
    members = [f'"{name}":{json_value()}' for name in "abc"[:random.randrange(1, 4)]]
    return f'{{"snapshot":{{"schema":"s","version":1{header_member()}}},' + ",".join(members) + "}"


def header_member():
    if random.random() < 0.9:
        return ""
    names = ["[]", "{}", "null", "1", '["a"]', '["a","a"]', '["NaN"]', "[1]", '{"a":"id"}', '{"a":null}', '{"a":1}']
    return f',"{random.choice(["values", "ids"])}":{random.choice(names)}'


def line():
    name, kind = json_text(random.choice(TEXTS)), random.random()
    if kind < 0.15:
        return f'{{"emptyTable":{name}}}'
    form, content = ("table", "record") if kind < 0.65 else ("field", "value")
    return f'{{"{form}":{name},"{content}":{json_value()}}}'


def lines_file():
    header = f'{{"snapshot":{{"schema":{json_text(random.choice(TEXTS))},"version":1}}}}'
    return "\n".join([header, *(line() for _ in range(random.randrange(2, 5)))])


def xml_text(text):
    if random.random() < 0.05:
        return f"<![CDATA[{text}]]>"
    if random.random() < 0.05:
        return f"{text}<!-- {text} -->{text}"
    if text and random.random() < 0.15:
        number = random.choice([ord(text[0])] * 9 + [0xD800, 0x10FFFF, 0x110000, 1 << 70])
        return f"&#{number};" + text[1:]
    return text


def xml_value(depth=0):
    kind = random.random() * (0.8 if depth > 2 else 1)
    if kind < 0.8:
        reals = NUMBERS + ["nan", "NaN", "+nan", "-nan", "inf", "-inf", "+Infinity", "INF"]
        datas = ["", "AAEC", "AA EC", "AAE", "AAE=", "AAF=", "\n\tAAEC\n"]
        choices = [("string", xml_text(random.choice(TEXTS)))] * 4 + [
            ("integer", random.choice(NUMBERS)), ("real", random.choice(reals)), ("date", random.choice(DATES)),
            ("data", random.choice(datas)), ("true", random.choice(["", "", " "]))]
        name, content = random.choice(choices)
        return f"<{name}>{content}</{name}>"
    values = [xml_value(depth + 1) for _ in range(random.randrange(3))]
    if kind < 0.9:
        return f"<array>{''.join(values)}</array>"
    return "<dict>" + "".join(f"<key>{xml_text(random.choice(TEXTS))}</key>{value}" for value in values) + "</dict>"


def xml_file():
    header = "<dict><key>schema</key><string>s</string><key>version</key><integer>1</integer></dict>"
    members = [f"<key>{name}</key>{xml_value()}" for name in "abc"[:random.randrange(1, 4)]]
    starts = [
        "", "<?xml version='1.0'?>", '<?xml VERSION="1.0" encoding="Utf-8"?>', '<?XML version="1.0"?>',
        '<?xml version="1.1"?>', "<!DOCTYPE plist>", "<!DOCTYPE plist PUBLIC>", "<!DOCTYPE plist SYSTEM>", "<!-- x -->",
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>', "<?xml version='1.0'  standalone='yes' ?>"]
    start = random.choice(starts) if random.random() < 0.3 else ""
    return f'{start}<plist version="1.0"><dict><key>snapshot</key>{header}{"".join(members)}</dict></plist>'


class BinaryFile:
    """A list with references of one byte and offsets of two."""
    def __init__(self):
        self.objects = []
        schema = [self.add(self.counted(0x50, 6) + b"schema"), self.add(self.counted(0x50, 7) + b"version")]
        header = self.add(bytes([0xD2, *schema, self.add(b"\x51s"), self.add(b"\x10\x01")]))
        keys = [self.add(b"\x58snapshot"), *(self.add(b"\x51" + name.encode()) for name in "abcd")]
        values = [header, *(self.value() for _ in "abcd")]
        self.top = self.add(bytes([0xD5, *keys, *values]))

    def add(self, content):
        self.objects.append(content)
        return len(self.objects) - 1

    @staticmethod
    def counted(marker, count):
        return bytes([marker | count]) if count < 15 else bytes([marker | 15, 0x10, count])

    def text(self):
        text = random.choice(TEXTS)
        if text.isascii() and random.random() < 0.7:
            return self.add(self.counted(0x50, len(text)) + text.encode())
        units = text.encode("utf-16-be")
        return self.add(self.counted(0x60, len(units) // 2) + units)

    def value(self, depth=0):
        kind = random.random() * (0.85 if depth > 2 else 1)
        if kind < 0.4:
            return self.text()
        if kind < 0.85:
            width = random.randrange(5)
            half = (1 << width) // 2
            numbers = [0.0, -0.0, 0.25, 1e300, 252423993600.0, float("-inf"), float("nan")]
            return self.add(random.choice([
                bytes([0x10 | width]) + random.choice([b"\0", b"\xff"]) * (1 << width),
                bytes([0x10 | width]) + (b"\0" * half + b"\x80" + b"\0" * half)[:1 << width],
                random.choice([b"\x23", b"\x33"]) + struct.pack(">d", random.choice(numbers)),
                b"\x22" + struct.pack(">f", 0.1), b"\x22\x7f\x80\0\1", b"\x22\xff\xc0\0\0", b"\x43\0\1\2", b"\x08",
                b"\x09", b"\0", b"\x0f"]))
        values = [self.value(depth + 1) for _ in range(random.randrange(3))]
        if kind < 0.93:
            return self.add(self.counted(0xA0, len(values)) + bytes(values))
        keys = [self.text() for _ in values]
        return self.add(self.counted(0xD0, len(values)) + bytes(keys) + bytes(values))

    def bytes(self):
        content, offsets = b"bplist00", []
        for item in self.objects:
            offsets.append(len(content))
            content += item
        table = b"".join(offset.to_bytes(2, "big") for offset in offsets)
        return content + table + struct.pack(">6xBBQQQ", 2, 1, len(offsets), self.top, len(content))


def odd_file():
    """The extension and the bytes of a file."""
    makers = {"json": json_file, "ndjson": lines_file, "plist": xml_file, "bplist": BinaryFile}
    extension = random.choice([*makers])
    made = makers[extension]()
    content = made.bytes() if extension == "bplist" else made.encode()
    if random.random() < 0.2:
        place = random.randrange(len(content))
        content = content[:place] + bytes([content[place] ^ 1 << random.randrange(8)]) + content[place + 1:]
    return extension, content
