"""Reads JSON, with Python's grammar made as strict as RFC 8259, and writes a value as the library writes it in JSON."""
import base64
import json
import math
import re
from json.scanner import py_make_scanner

from .values import DATA, Date, Digits, date_text, number_in, number_text, require, value_of

ESCAPES = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
BLANK = re.compile(r"[ \t\r\n]*")


class Reader(json.JSONDecoder):
    def __init__(self):
        super().__init__(object_pairs_hook=members, parse_constant=no_constant, parse_int=number, parse_float=number)
        # A text that is a value, and no key. Its first character tells whether it may stand for another value.
        self.parse_string = self.text
        self.scan_once = py_make_scanner(self)

    @staticmethod
    def text(source, start, strict):
        text, end = json.decoder.scanstring(source, start, strict)
        text.encode()  # Half of a surrogate pair cannot be encoded.
        return text if source[start] == "\\" else value_of(text, "JSON"), end


def members(pairs):
    require(len({key for key, _ in pairs}) == len(pairs), "a key occurs twice")
    "".join(key for key, _ in pairs).encode()
    return dict(pairs)


def no_constant(name):
    require(False, f"{name} is no value of JSON")


def number(text):
    require(text.isascii(), "a digit that is not of ASCII")
    return number_in(text)


def levels(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(levels, inner), default=0)


def values(text):
    """The values of a text that are separated by blanks: one of a JSON file, many lines of newline-delimited JSON.

    Yields each with its own text, and the blanks behind it.
    """
    at = BLANK.match(text).end()
    while at < len(text):
        try:
            value, end = Reader().raw_decode(text, at)
        except RecursionError:
            require(False, "nested too deep")
        require(levels(value) <= 64, "nested deeper than 64 levels")
        blank = BLANK.match(text, end)
        yield value, text[at:end], blank[0]
        at = blank.end()


def quoted(text, is_plain=True):
    """A text in quotation marks. A value that looks like another one has its first character escaped."""
    first = "" if is_plain or value_of(text, "JSON") == text else f"\\u{ord(text[0]):04x}"
    rest = re.sub('["\\\\\0-\x1f\x7f-\x9f\u2028\u2029]',
                  lambda match: ESCAPES.get(match[0]) or f"\\u{ord(match[0]):04x}", text[1 if first else 0:])
    return f'"{first}{rest}"'


def json_of(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Digits):
        return str(value)
    if isinstance(value, str):
        return quoted(value, is_plain=False)
    if isinstance(value, Date):
        return quoted(date_text(value))
    if isinstance(value, float):
        return number_text(value) if math.isfinite(value) else quoted(number_text(value))
    if isinstance(value, bytes):
        return quoted(DATA + base64.b64encode(value).decode())
    if isinstance(value, list):
        return "[" + ",".join(map(json_of, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(key)}:{json_of(item)}" for key, item in value.items()) + "}"
    return str(value)
