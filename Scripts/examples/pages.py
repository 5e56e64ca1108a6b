"""The Swift blocks of README.md, of Docs and of the documentation's articles."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("Docs/*.md")), *sorted(ROOT.glob("Sources/*/*.docc/*.md"))]
ARTICLES = ROOT / "Sources/SnapshotStore/SnapshotStore.docc"
BLOCK = re.compile(r"(?:<!-- (example|grdb|swiftui|not compiled): (\S+) -->\n)?^```swift\n(.*?)^```", re.S | re.M)
# The only code that no compiler here can see: it needs frameworks of Apple.
NOT_COMPILED = ("SwiftData",)


class Failure(Exception):
    """What an example did, where the page promises something else."""


def expect(condition, what):
    if not condition:
        raise Failure(f"unexpected: {what}")


def blocks(page, wanted="example"):
    """The programs of a page, by name: the name in the comment before a block, or the page and a number.

    Blocks with one name are one program, in their order. So an article can explain its program piece by piece.
    """
    found = {}
    for number, (kind, name, code) in enumerate(BLOCK.findall(page.read_text())):
        if kind == "not compiled" and name not in NOT_COMPILED:
            raise Failure(f"{page.name}: only code for {', '.join(NOT_COMPILED)} may be left out")
        if (kind or "example") == wanted:
            name = name or f"{page.stem}-{number + 1}"
            found[name] = found[name] + "\n" + code if name in found else code
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
