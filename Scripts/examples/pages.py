"""The Swift blocks of README.md, of Docs and of the documentation's articles."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("Docs/*.md")), *sorted(ROOT.glob("Sources/*/*.docc/*.md"))]
BLOCK = re.compile(r"(?:<!-- example: (\S+) -->\n)?^```swift\n(.*?)^```", re.S | re.M)


class Failure(Exception):
    """What an example did, where the page promises something else."""


def expect(condition, what):
    if not condition:
        raise Failure(f"unexpected: {what}")


def blocks(page):
    """The programs of a page, by name: the name in the comment before a block, or the page and a number.

    Blocks with one name are one program, in their order. So an article can explain its program piece by piece.
    """
    found = {}
    for number, match in enumerate(BLOCK.finditer(page.read_text())):
        name = match.group(1) or f"{page.stem}-{number + 1}"
        found[name] = found[name] + "\n" + match.group(2) if name in found else match.group(2)
    return found


def all_examples():
    """The programs of all pages, by name. No name is in two pages."""
    examples = {}
    for page in PAGES:
        found = blocks(page)
        twice = {*examples} & {*found}
        if twice:
            raise Failure(f"more than one page has an example of the name {', '.join(sorted(twice))}")
        examples |= found
    return examples


def types(example):
    """The declarations of an example before it opens a store."""
    return example.split("\nlet store", 1)[0] + "\n"
