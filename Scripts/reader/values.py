"""The kinds of values, and the texts that stand for values which a format lacks. See “The file formats”.

A value is None, a bool, an int, a float, a Date, a str, bytes, a list or a dict.
"""
import base64
import decimal
import math
import re
import struct
from datetime import datetime, timedelta

decimal.getcontext().prec = 1200  # The digits of a small fraction below zero.


class Date(float):
    """Seconds since 2001-01-01T00:00:00Z."""


class Refused(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Refused(message)


# The kinds of values that a format lacks.
LACKS = {"JSON": {"whole", "fraction", "negative zero", "far", "not finite", "data"},
         "XML": {"fraction", "negative zero", "far", "not finite", "text"}, "binary": {"far"}, "XML key": {"text"}}
ORIGIN, DATA, TEXT = "2001-01-01T00:00:00Z", "data:;base64,", "data:text/plain;charset=utf-8;base64,"
EPOCH = datetime.fromisoformat("2001-01-01T00:00:00+00:00")
FORBIDDEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def number_text(number):
    if math.isnan(number):
        bits = struct.unpack(">Q", struct.pack(">d", number))[0]
        return "NaN" if bits == 0x7FF8 << 48 else f"NaN(0x{bits:x})"
    return repr(number).replace("inf", "Infinity")


def date_kind(date):
    if not -63_113_904_000 <= date < 252_423_993_600:
        return "far"
    return "whole" if date == int(date) and str(date) != "-0.0" else "negative zero" if date == 0 else "fraction"


def date_text(date):
    if date_kind(date) in ("far", "negative zero"):
        number = number_text(float(date))
        return ORIGIN + ("" if number.startswith("-") else "+") + number
    seconds = decimal.Decimal(repr(float(date)))
    whole = int(seconds.to_integral_value(decimal.ROUND_FLOOR))
    fraction = f"{seconds - whole:f}"[1:].rstrip("0") if seconds != whole else ""
    return (EPOCH + timedelta(seconds=whole)).isoformat()[:19] + fraction + "Z"


def date_of(text):
    match = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2}T(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2})(\.[0-9]+)?"
                         r"(Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])", text)
    require(match, "not a date")
    since = datetime.fromisoformat(match[1] + match[3].replace("Z", "+00:00")) - EPOCH
    return Date(decimal.Decimal(since // timedelta(seconds=1)) + decimal.Decimal("0" + (match[2] or "")))


def number_of(text):
    match = re.fullmatch(r"\+?NaN\(0x([0-9a-f]{1,16})\)", text)
    return struct.unpack(">d", struct.pack(">Q", int(match[1], 16)))[0] if match else float(text)


def base64_of(text):
    data = base64.b64decode(text, validate=True)
    require(base64.b64encode(data).decode() == text, "base64 that is not in its canonical form")
    return data


def value_of(text, lacks):
    """The value for which a text stands; the text itself if it stands for none."""
    try:
        if text.startswith(DATA):
            kind, value, again = "data", base64_of(text[len(DATA):]), text
        elif text.startswith(TEXT):
            kind, value, again = "text", base64_of(text[len(TEXT):]).decode(), text
            require(FORBIDDEN.search(value), "XML has a form for this text")
        elif text.startswith(ORIGIN) and text != ORIGIN:
            value = Date(number_of(text[len(ORIGIN):]))
            kind, again = date_kind(value), date_text(value)
        elif text[:1] in "NI-":
            kind, value = "not finite", number_of(text)
            require(not math.isfinite(value), "a number")
            again = number_text(value)
        else:
            value = date_of(text)
            kind, again = date_kind(value), date_text(value)
        return value if kind in LACKS[lacks] and again == text else text
    except (ValueError, OverflowError, Refused):
        return text


def without_escape(text):
    """`$null` is null in property lists. A text of that form has one more `$`."""
    return (None if text == "$null" else text[1:]) if re.fullmatch(r"\$+null", text) else text


def real_of(text):
    number = float(text)
    is_zero = not re.search("[1-9]", text.lower().split("e")[0])
    require(math.isfinite(number) and (number != 0 or is_zero), "a number out of range")
    digits = re.sub(r"[eE].*|[^0-9]", "", text).lstrip("0")
    is_kept = len(digits) <= 15 or decimal.Decimal(text) == decimal.Decimal(repr(number))
    require(is_kept, "a number with more digits than can be kept")
    return number


def integer_of(text):
    require(-1 << 63 <= int(text) < 1 << 64, "an integer of more than 64 bits")
    return -0.0 if text == "-0" else int(text)
