"""Reads a whole file in any format: the header, the checksum, tables and single values. Writes the file in JSON."""
import json
from collections import namedtuple

from .binary_list import Binary
from .json_text import json_of, quoted, values
from .values import require
from .xml_list import XML

# members: {name: (whether it is a table, its content)}
Snapshot = namedtuple("Snapshot", "format schema version ids members checksum")

# The first bytes of a file with a checksum. The checksum covers all bytes behind them.
PREFIXES = {
    "json": '{"snapshot":{"checksum":%d,\n',
    "ndjson": '{"snapshot":{"checksum":%d}}\n',
    "xml": """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
\t<key>snapshot</key>
\t<dict>
\t\t<key>checksum</key>
\t\t<integer>%d</integer>
"""}


def prefix(format, checksum):
    if format == "binary":
        return b"bplist00\x12" + checksum.to_bytes(4, "big")
    return (PREFIXES[format] % checksum).encode()


def crc_table():
    for remainder in (byte << 24 for byte in range(256)):
        for _ in range(8):
            remainder = remainder << 1 ^ (0x104C11DB7 if remainder & 0x80000000 else 0)
        yield remainder


CRC = [*crc_table()]


def cksum(data):
    """What `cksum` of POSIX prints."""
    size = len(data)
    remainder = 0
    for byte in data + size.to_bytes((size.bit_length() + 7) // 8, "little"):
        remainder = remainder << 8 & 0xFFFFFFFF ^ CRC[remainder >> 24 ^ byte]
    return remainder ^ 0xFFFFFFFF


def read(data):
    """The content of a file. Raises Refused, or another ValueError, for a file that is not whole."""
    format, header, members = parts(data)
    require({*header} <= {"checksum", "schema", "version", "values", "ids"}, "an unknown key in the header")
    version, checksum = header.get("version"), header.get("checksum")
    require("schema" in header and type(version) is int and 1 <= version < 1 << 31, "no schema, or no version")
    if "checksum" in header:
        require(type(checksum) is int and 0 <= checksum < 1 << 32, "a checksum of more than 32 bits")
        start = prefix(format, checksum)
        require(data.startswith(start) and cksum(data[len(start):]) == checksum, "the checksum does not match")
    arrays, ids = header.get("values", []), header.get("ids", {})
    require(isinstance(arrays, list) and isinstance(ids, dict), "names of arrays or of ids that are none")
    arrays = [spelling(name) for name in arrays]
    if format != "ndjson":
        members = {name: (isinstance(value, list) and name not in arrays, value) for name, value in members.items()}
    ids = {table: None if key is None else spelling(key) for table, key in ids.items()}
    return Snapshot(format, spelling(header["schema"]), version, ids, members, checksum)


def parts(data):
    """The format, the header and the other members."""
    if data.startswith(b"bplist"):
        binary = Binary(data)
        return "binary", *header_of(binary.value(binary.top))
    text = data.decode().removeprefix("\ufeff")
    if text.lstrip(" \t\r\n").startswith("<"):
        return "xml", *header_of(XML(text).document())
    lines = values(text)
    first, source, blank = next(lines, (None, "", ""))
    require(isinstance(first, dict), "the file is not a snapshot")
    is_line = {*first} in ({"table", "record"}, {"field", "value"}, {"emptyTable"})
    if is_line or {*first} == {"snapshot"} and len(text.strip(" \t\r\n")) > len(source):
        return "ndjson", *members_of([(first, source, blank), *lines])
    require(next(lines, None) is None, "more than one value in the file")
    return "json", *header_of(first)


def header_of(root):
    require(isinstance(root, dict) and isinstance(root.get("snapshot"), dict), "there is no header")
    return root.pop("snapshot"), root


def members_of(lines):
    """The header and the members that the lines of newline-delimited JSON make."""
    header, members = {}, {}
    for number, (line, source, blank) in enumerate(lines):
        require(isinstance(line, dict), "a line that is no object")
        is_last = number == len(lines) - 1
        require("\n" not in source and ("\n" in blank or is_last), "a line that does not hold one object")
        if "snapshot" in line:
            require({*line} == {"snapshot"} and not members and isinstance(line["snapshot"], dict), "a damaged header")
            require(not {*header} & {*line["snapshot"]}, "a key of the header occurs twice")
            header |= line["snapshot"]
            continue
        forms = {("record", "table"): "table", ("field", "value"): "field", ("emptyTable",): "emptyTable"}
        form = forms.get(tuple(sorted(line)))
        require(form, "a line of unknown form")
        name = spelling(line[form])
        is_table, records = members.setdefault(name, (True, []))
        require(name != "snapshot" and is_table and not (form == "field" and records), f"{name} occurs twice")
        if form == "field":
            members[name] = (False, line["value"])
        if form == "table":
            records.append(line["record"])
    return header, members


def spelling(value):
    """The text of a name. A name that looks like a date, a number or data is only text."""
    require(isinstance(value, str) or json_of(value).startswith('"'), "a name that is not text")
    return value if isinstance(value, str) else json.loads(json_of(value))


def json_file(snapshot):
    """The file that the library writes in JSON for the same content."""
    tables = {name: content for name, (is_table, content) in snapshot.members.items() if is_table}
    arrays = [name for name, (_, value) in snapshot.members.items() if isinstance(value, list) and name not in tables]
    ids = {table: key for table, key in snapshot.ids.items() if tables.get(table)}
    text = f'"schema":{json_of(snapshot.schema)},"version":{snapshot.version}'
    text += (f',"values":{json_of(arrays)}' if arrays else "") + (f',"ids":{json_of(ids)}' if ids else "") + "}"
    for name, (is_table, content) in snapshot.members.items():
        text += f",\n{quoted(name)}:"
        text += "[\n" + ",\n".join(map(json_of, content)) + "\n]" if is_table and content else json_of(content)
    body = (text + "}\n").encode()
    return prefix("json", cksum(body)) + body
