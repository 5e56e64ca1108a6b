"""The kinds of values, and the texts that stand for values which a format lacks. See “The file formats”.

A value is None, a bool, an int, a float, Digits, a Date, a str, bytes, a list or a dict.
"""
import base64
import decimal
import math
import re
import struct
import sys
from datetime import datetime, timedelta

decimal.getcontext().prec = 1200  # The digits of a small fraction below zero.
sys.set_int_max_str_digits(0)  # A number may have any number of digits.


class Date(float):
    """Seconds since 2001-01-01T00:00:00Z."""


class Digits(str):
    """A number that no integer of 64 bits and no double holds, as JSON spells it."""


class Refused(Exception):
    pass


def require(condition, message):
    if not condition:
        raise Refused(message)


# The kinds of values that a format lacks.
LACKS = {"JSON": {"whole", "fraction", "negative zero", "far", "not finite", "data"},
         "XML": {"fraction", "negative zero", "far", "not finite", "text"}, "binary": {"far", "decimal"}, "XML key": {"text"}}
ORIGIN, DATA, TEXT = "2001-01-01T00:00:00Z", "data:;base64,", "data:text/plain;charset=utf-8;base64,"
DECIMAL, REAL = "decimal:", r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
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
        elif text.startswith(DECIMAL):
            require(re.fullmatch(REAL, text[len(DECIMAL):]), "no number")
            kind, value = "decimal", number_in(text[len(DECIMAL):])
            require(isinstance(value, Digits), "a number that has a form")
            again = DECIMAL + value
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


def number_in(text):
    """A number of JSON: an integer, unless it has a point or an exponent."""
    return real_of(text) if re.search("[.eE]", text) else integer_of(text)


def real_of(text):
    """The double that says as much as the text: rounded to as many digits, it is the same number. Otherwise Digits."""
    exact, number = decimal_of(text), float(text)
    digits = "".join(map(str, exact.as_tuple().digits)).rstrip("0")
    if not digits or math.isfinite(number) and decimal_of(f"{number:.{len(digits) - 1}e}") == exact:
        return number
    return spelled(text, is_integer=False)


def decimal_of(text):
    require(abs(int(re.sub(r"[^eE]*[eE]?", "", text, count=1) or 0)) < 10 ** 17, "an exponent out of range")
    return decimal.Decimal(text)


def integer_of(text):
    if -1 << 63 <= int(text) < 1 << 64:
        return -0.0 if text == "-0" else int(text)
    return spelled(text, is_integer=True)


def integer_of_list(text):
    """An integer of a property list, which may be hexadecimal."""
    match = re.fullmatch("([+-]?)0[xX]([0-9a-fA-F]+)", text)
    if match is None:
        return int(text) if re.fullmatch("-0+", text) else integer_of(text)
    number = int(match[1] + match[2], 16)
    require(-1 << 63 <= number < 1 << 64, "a hexadecimal integer of more than 64 bits")
    return number


def spelled(text, is_integer):
    """A number of XML as JSON spells it. A real that looks like an integer of 64 bits gets a fraction."""
    match = re.fullmatch(r"([+-]?)0*([0-9]*)(?:\.([0-9]*))?(?:[eE](.*))?", text)
    whole = match[1].strip("+") + (match[2] or "0")
    fraction, exponent = "." + match[3] if match[3] else "", "e" + match[4] if match[4] else ""
    if not (is_integer or fraction or exponent) and -1 << 63 <= int(whole) < 1 << 64:
        fraction = ".0"
    return Digits(whole + fraction + exponent)
