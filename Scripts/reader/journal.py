"""Reads the journal beside a file: verifies its lines, and applies them to the content of the file."""
import re

from .files import cksum, spelling
from .json_text import json_of, values
from .values import Date, require

SUM = re.compile(rb',"sum":(0|[1-9][0-9]{0,9})}')
HEADER = ["journal", "schema", "version", "date", "base"]
# Of a journal that stores share. What it says of the past is not needed here.
PAST = ["run", "number", "file", "all", "untyped", "merge", "before", "from"]
MAY_BE_MISSING = ["all", "untyped", "merge", "before"]
MARKS = ["fold", "cut"]
FRAME = ["n", "after", "date"]
SECTIONS = ["ids", "removed", "old", "put", "set"]


def lines_of(data):
    """The header of a journal and the lines behind it. A last line that was not written to its end is left out.

    Raises Refused, or another ValueError, for damage.
    """
    found, start, last = [], 0, None
    while (end := data.find(b"\n", start)) >= 0:
        line = data[start:end]
        if not is_right(line):
            break
        text = line.decode()
        value = [value for value, *_ in values(text)]
        require(len(value) == 1 and isinstance(value[0], dict), "a line that does not hold one object")
        check(value[0], last, len(found))
        found.append(value[0])
        last, start = value[0], end + 1
    rest = data[start:]
    require(b"\n" not in rest.rstrip(b"\0").removesuffix(b"\n"), "a damaged line, and more follows")
    is_torn = not any(is_right(rest[:match.end()]) and rest[match.end():match.end() + 1] not in (b"", b"\0", b"\n")
                      for match in SUM.finditer(rest))
    require(is_torn, "a damaged line feed")
    return found


def is_right(line):
    """Whether the checksum at the end of a line is that of the bytes before it."""
    marks = [*SUM.finditer(line)]
    return bool(marks) and marks[-1].end() == len(line) and cksum(line[:marks[-1].start()]) == int(marks[-1][1])


def check(line, last, number):
    keys = [*line]
    require(isinstance(line.get("date"), Date), "a line without a date")
    if last is None:
        known = {1: HEADER, 2: HEADER + PAST}.get(line.get("journal"))
        known = known and [key for key in known if key in keys or key not in MAY_BE_MISSING]
        require(known and keys == [*known, "sum"], "not a journal of this version")
        return check_base(line["base"])
    require(keys[:3] == FRAME and keys[-1] == "sum", "the keys of a line are not in their order")
    require((line["n"], line["after"]) == (number, last["sum"]), "the line does not follow the one before it")
    if len(keys) == 5 and keys[3] in MARKS:
        return check_base(line[keys[3]])
    require(keys[3:-1] and keys[3:-1] == [key for key in SECTIONS if key in keys], "a line with other keys")


def check_base(base):
    require([*base] in (["checksum", "size"], ["digest", "size"]), "a file without its checksum and size")


def since(lines, snapshot, data):
    """The lines to apply to a file; None if the journal stands on another one."""
    base = {"digest": cksum(data), "size": len(data)}
    if snapshot.checksum is not None:
        base = {"checksum": snapshot.checksum, "size": len(data)}
    changes = [number for number, line in enumerate(lines) if number and not any(mark in line for mark in MARKS)]
    stands = [number for number, line in enumerate(lines) if base in [line.get(key) for key in ["base", *MARKS]]]
    # Without changes it stands on any file.
    start = stands[-1] if stands else None if changes else 0
    return None if start is None else [lines[number] for number in changes if number > start]


def replay(snapshot, lines):
    """The content of a file after the changes of some lines."""
    members, ids = dict(snapshot.members), dict(snapshot.ids)
    for line in lines:
        keys = {table: None if key is None else spelling(key) for table, key in line.get("ids", {}).items()}
        for section in ("removed", "old", "put"):
            for table, content in line.get(section, {}).items():
                is_table, records = members.get(table, (True, []))
                require(is_table and table != "snapshot", f"{table} is a single value, or the header")
                key = keys.get(table, "id")
                members[table] = (True, changed([*records], section, content, key))
                if section == "put" and not records:
                    ids.pop(table, None)
                    ids |= {table: keys[table]} if table in keys else {}
        for name, value in line.get("set", {}).items():
            require(name != "snapshot", "the header as a value")
            members[name] = (False, value)
    return snapshot._replace(members=members, ids=ids)


def changed(records, section, content, key):
    """The records of a table after one section of a line."""
    def name(record):
        return json_of(record if key is None else record[key])

    gone = {json_of(item) if section == "removed" else name(item) for item in content}
    if section == "put" and key is None:
        return records + content
    require(section == "put" or gone <= {name(record) for record in records}, "a removed record is not there")
    return [record for record in records if name(record) not in gone] + (content if section == "put" else [])
