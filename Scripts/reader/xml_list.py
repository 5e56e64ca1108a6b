"""Reads XML property lists: elements without attributes, text, CDATA, comments, and references to characters."""
import re

from .values import FORBIDDEN, REAL, base64_of, date_of, integer_of_list, real_of, require, value_of, without_escape

BLANK, FILLER = r"[ \t\r\n]*", r"(?:[ \t\r\n]|<!--.*?-->)*"
DECLARATION = (r"""<\?xml(?i:\s+version=["']1\.0["'](\s+encoding=["'](utf-8|us-ascii)["'])?"""
               r"""(\s+standalone=["'](yes|no)["'])?\s*)\?>""")
PIECE = r"([^<&]+)|<!--.*?-->|<!\[CDATA\[(.*?)\]\]>|&(?:(amp|lt|gt|quot|apos)|#(?:([0-9]+)|x([0-9a-fA-F]+)));"
REFERENCES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
NOT_FINITE = r"(?i:nan|[+-]?inf(inity)?)"


class XML:
    def __init__(self, text):
        self.text, self.at = text, 0

    def take(self, pattern):
        match = re.compile(pattern, re.S).match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match

    def expect(self, pattern, what):
        match = self.take(pattern)
        require(match, f"character {self.at}: expected {what}")
        return match

    def document(self):
        self.take(DECLARATION)
        self.take(FILLER + r"<!DOCTYPE\s+plist(\s+PUBLIC(\s[^>\[]*)?)?\s*>")
        self.expect(FILLER + r'<plist( version="1\.0")?>', "<plist>")
        root = self.value()
        self.expect(FILLER + f"</plist{BLANK}>{FILLER}" + r"\Z", "</plist> and the end of the file")
        return root

    def value(self, depth=1):
        elements = "array|dict|string|integer|real|date|data|true|false"
        tag = self.expect(FILLER + f"<({elements}){BLANK}(/?)>", "a value")
        name, is_empty = tag[1], tag[2] == "/"
        if name in ("array", "dict"):
            require(depth <= 64, "nested deeper than 64 levels")
            return self.array(is_empty, depth) if name == "array" else self.dictionary(is_empty, depth)
        text, is_escaped = self.characters(name, is_empty)
        if name == "string":
            value = text if is_escaped else value_of(text, "XML")
            return without_escape(value) if isinstance(value, str) else value
        return self.scalar(name, text, text.strip(" \t\r\n"))

    def array(self, is_empty, depth):
        result = []
        while not is_empty and not self.take(FILLER + f"</array{BLANK}>"):
            result.append(self.value(depth + 1))
        return result

    def dictionary(self, is_empty, depth):
        result = {}
        while not is_empty and not self.take(FILLER + f"</dict{BLANK}>"):
            tag = self.expect(FILLER + f"<key{BLANK}(/?)>", "<key>")
            text, is_escaped = self.characters("key", tag[1] == "/")
            key = text if is_escaped else value_of(text, "XML key")
            require(key not in result, f"character {self.at}: the key {key} occurs twice")
            result[key] = self.value(depth + 1)
        return result

    def scalar(self, name, text, trimmed):
        if name == "integer" and re.fullmatch("[+-]?([0-9]+|0[xX][0-9a-fA-F]+)", trimmed):
            return integer_of_list(trimmed)
        if name == "real" and re.fullmatch(NOT_FINITE, trimmed):
            return float(trimmed)
        if name == "real" and re.fullmatch(REAL, trimmed):
            return real_of(trimmed)
        if name == "data":
            return base64_of(re.sub("[ \t\r\n]", "", text))
        require(name == "date" or name in ("true", "false") and not text, f"“{text}” is not a valid <{name}>")
        return date_of(trimmed) if name == "date" else name == "true"

    def characters(self, name, is_empty):
        """The text up to the end tag, and whether it begins with a reference or a section of CDATA."""
        text, is_escaped = "", self.text[self.at:self.at + 1] in ("<", "&")
        while not is_empty and not self.take(f"</{name}{BLANK}>"):
            piece = self.expect(PIECE, f"</{name}>")
            plain = (piece[1] or piece[2] or "").replace("\r\n", "\n").replace("\r", "\n")
            number = piece[4] or piece[5]
            if number:
                number = int(number, 10 if piece[4] else 16)
                require(number < 0x110000, "a reference to a character that does not exist")
                plain = chr(number)
            text += REFERENCES.get(piece[3], plain)
            require(not FORBIDDEN.search(plain), "a character that XML forbids")
        return text.encode().decode(), is_escaped
